"""Random scenes for tools/soak. Lengths are in spacings and times in steps, so that all have some hundreds or thousands
of particles and much happens in a short time."""

import math
import random


class SceneMaker:
    def __init__(self, seed):
        self.r = random.Random(f"scene {seed}")
        self.flat = self.r.random() < 0.5
        self.h = 10 ** self.r.uniform(-4, -2.5)
        self.steps = self.r.randint(30, 150)
        self.room = 30 if self.flat else 10  # from wall to wall, in spacings

    def likely(self, chance):
        return self.r.random() < chance

    def some(self, most, make):
        return [make() for _ in range(self.r.randint(0, most))]

    def length(self, low, high):
        return self.h * self.r.uniform(low, high)

    def vector(self, along, up, across=0.0):
        return [along, up, 0] if self.flat else [along, across, up]

    def place(self, low, high):
        side = self.room / 2
        return self.vector(self.length(-side, side), self.length(low, high), self.length(-side, side))

    def direction(self, spread):
        return self.vector(self.r.uniform(-spread, spread), -1, self.r.uniform(-spread, spread))

    def rotation(self, most):
        axis = [0, 0, 1] if self.flat else [self.r.uniform(-1, 1), self.r.uniform(-1, 1), 1]
        return {"axis": axis, "angle": self.r.uniform(-most, most)}

    def when(self):
        return self.r.uniform(0, self.time)

    def whens(self):
        return sorted(self.when() for _ in range(self.r.randint(2, 4)))

    def shape(self, low, high):
        """Extent, from low to high spacings, and place are those of fluid or obstacle above a floor."""
        kind = self.r.choice(["sphere", "box", "box", "cylinder", "capsule", "cone", "torus"])
        shape = {"kind": kind, "translation": self.place(high / 2 + 1, high / 2 + self.room)}
        if kind == "box":
            shape["size"] = [self.length(low, high) for _ in range(3)]
        else:
            shape["radius"] = self.length(low, high) / 2
        if kind in ("cylinder", "capsule", "cone"):
            shape["height"] = self.length(low, high)
        if kind == "torus":
            shape["tube_radius"] = shape["radius"] * self.r.uniform(0.3, 0.6)
        if self.likely(0.3):
            shape["rotation"] = self.rotation(90)
        return shape

    def fluid(self):
        tension = {"vapor": 10 ** self.r.uniform(-2.5, -0.5)}
        for other in ("fluid", "solid"):
            if self.likely(0.3):
                tension[other] = tension["vapor"] * self.r.uniform(0, 0.5)
        return {"density": 10 ** self.r.uniform(2.5, 4), "viscosity": 10 ** self.r.uniform(-4, -1), "tension": tension}

    def body(self):
        speed = 0.1 * self.h / self.step
        return {"shape": self.shape(8, 20) if self.flat else self.shape(4, 9),
                "velocity": self.vector(*(self.r.uniform(-speed, speed) for _ in range(3)))}

    def solid(self, shape):
        solid = {"shape": shape}
        if self.likely(0.6):
            angle = self.r.uniform(0, 180)
            solid["contact_angle"] = self.r.choice([angle, {"default": 60, "a": angle}])
        elif self.likely(0.5):
            solid["tension"] = {"vapor": self.r.uniform(0, 0.1), "fluid": self.r.uniform(0, 0.1)}
        if self.likely(0.6):
            solid["friction"] = self.r.uniform(0, 1)
        if self.likely(0.2):
            solid["slip"] = True
        return solid

    def plane(self):
        size = self.h * self.room * 1.5
        shape = {"kind": "plane", "size": [size, size], "translation": self.vector(0, self.length(-2, 0))}
        if self.likely(0.4):
            shape["rotation"] = self.rotation(20)
        return self.solid(shape)

    def container(self):
        size = self.h * self.room * (1.6 if self.flat else 1)
        shape = {"kind": "box", "size": [size] * 3, "hollow": True, "translation": self.vector(0, size / 2)}
        return self.solid(shape)

    def obstacle(self):
        return self.solid(self.shape(4, 8))

    def motion(self):
        return [{"time": t, "translation": self.vector(self.length(-3, 3), self.length(-3, 3)),
                 "rotation": self.rotation(15)} for t in self.whens()]

    def emitter(self):
        kind = self.r.choice(["round", "rectangle", "rain", "drops"])
        emitter = {"kind": kind, "fluid": self.r.choice(self.names)}
        speed = self.r.uniform(0.05, 0.3) * self.h / self.step
        if kind == "drops":
            emitter["drops"] = [{"time": t, "position": self.place(6, self.room + 6), "radius": self.length(1.5, 3),
                                 "velocity": [speed * x for x in self.direction(0.5)]} for t in self.whens()]
            return emitter
        emitter.update(position=self.place(self.room, self.room + 8), direction=self.direction(0.5), speed=speed)
        if kind in ("round", "rain"):
            emitter["radius"] = self.length(1.5, 3)
        if kind in ("rectangle", "rain"):
            emitter["size"] = [self.length(3, self.room), self.length(3, self.room)]
        if kind == "rain":
            emitter.update(rate=self.r.uniform(2, 15) / self.time, radius_spread=self.r.uniform(0, 0.5))
        if self.likely(0.4):
            emitter["start"] = self.when() / 2
        if self.likely(0.4):
            emitter["stop"] = emitter.get("start", 0) + self.when()
        if self.likely(0.3):
            emitter["max_particles"] = self.r.randint(50, 500)
        return emitter

    def sink(self):
        lower = self.place(0, self.room)
        sink = {"lower": lower, "upper": [x + self.length(2, self.room) for x in lower]}
        if self.likely(0.5):
            sink["start"] = self.when()
        return sink

    def gravity(self):
        return [x * self.r.uniform(0, 0.4) * self.h / self.step / self.time for x in self.direction(0.5)]

    def schedules(self, solids):
        fluid = self.r.choice(self.names)
        makers = {"gravity": self.gravity, f"fluids.{fluid}.viscosity": lambda: 10 ** self.r.uniform(-4, -1),
                  f"fluids.{fluid}.tension.vapor": lambda: self.r.uniform(0.01, self.tension)}
        for name, solid in solids.items():
            makers[f"solids.{name}.friction"] = lambda: self.r.uniform(0, 1)
            if isinstance(solid.get("contact_angle"), float):
                makers[f"solids.{name}.contact_angle"] = lambda: self.r.uniform(0, 180)
        return [{"target": target, "keys": [{"time": t, "value": makers[target]()} for t in self.whens()]}
                for target in self.r.sample(list(makers), self.r.randint(0, 2))]

    def solver(self):
        solver = {"preset": self.r.choice(["default", "default", "paper"]), "max_iterations": self.r.randint(100, 200),
                  "kind": self.r.choice(["jacobi", "nncg", "anderson", "anderson"])}
        if self.likely(0.3):
            solver["coupling"] = self.r.choice(["pressure-then-tension", "tension-then-pressure"])
        if self.likely(0.3):
            solver["tension_model"] = self.r.choice(["pairwise", "robust-csf"])
        if self.likely(0.2):
            solver["warm_start"] = self.likely(0.5)
        return solver

    def make(self):
        self.names = ["a", "b", "c"][:self.r.choice([1, 1, 2, 3])]
        fluids = {name: self.fluid() for name in self.names}
        self.tension = max(fluid["tension"]["vapor"] for fluid in fluids.values())
        density = min(fluid["density"] for fluid in fluids.values())
        self.step = 0.4 * math.sqrt(density * self.h ** 3 / (2 * math.pi * self.tension))
        self.time = self.step * self.steps
        for fluid in fluids.values():
            fluid["bodies"] = self.some(2, self.body)
        if self.likely(0.8):
            fluids["a"]["bodies"].append(self.body())
        makers = [self.plane] * 3 + [self.obstacle] * 3 + [self.container]
        solids = {f"solid_{i}": solid for i, solid in enumerate(self.some(3, lambda: self.r.choice(makers)()))}
        for solid in solids.values():
            if self.likely(0.4):
                solid["motion"] = self.motion()
        scene = {"dimension": 2 if self.flat else 3, "spacing": self.h, "seed": self.r.randint(0, 10 ** 9),
                 "duration": self.time * self.r.uniform(0.5, 1.5), "fps": self.r.uniform(2, 20) / self.time,
                 "fluids": fluids, "solids": solids, "emitters": self.some(2, self.emitter),
                 "sinks": self.some(1, self.sink), "schedules": self.schedules(solids), "solver": self.solver()}
        if not any(fluid["bodies"] for fluid in fluids.values()):
            scene["emitters"].append(self.emitter())
        if self.likely(0.7):
            scene["gravity"] = self.gravity()
        if self.likely(0.3):
            scene["time_step"] = {"fixed": self.step * self.r.uniform(0.3, 1)}
        elif self.likely(0.5):
            scene["time_step"] = {"max": self.step * self.r.uniform(0.3, 1.5), "cfl_velocity": self.r.uniform(0.2, 0.5)}
        return scene
