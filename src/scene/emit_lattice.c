#include "scene/emit_lattice.h"

#include <math.h>

/* In half spacings a coordinate is an even number where the centre sits on lattice points and an odd one where it lies
 * between them. */

static int64_t root(int64_t square) {
    int64_t r = (int64_t)sqrt((double)square);
    while (r * r > square) r--;
    while ((r + 1) * (r + 1) <= square) r++;
    return r;
}

/* The largest coordinate of the axis whose square is at most `square`, or −1 for none. */
static int64_t reach(const mnLatticeBall *ball, int axis, int64_t square) {
    if (square < 0) return -1;
    if (axis >= ball->dimension) return 0;
    int64_t odd = axis < ball->halves, r = root(square);
    return r >= odd ? r - ((r ^ odd) & 1) : -1;
}

/* How many points lie within the squared distance. */
static int64_t points_within(const mnLatticeBall *ball, int64_t square) {
    int64_t count = 0, top = reach(ball, 2, square);
    for (int64_t z = -top; z <= top; z += 2) {
        int64_t side = reach(ball, 0, square - z * z);
        for (int64_t x = -side; x <= side; x += 2) count += reach(ball, 1, square - z * z - x * x) + 1;
    }
    return count;
}

/* The shell that holds the number wanted, by bisection: N(inner) ≤ wanted < N(inner + 1). */
static mnLatticeBall ball_around(int dimension, int halves, int64_t wanted, bool whole) {
    mnLatticeBall ball = {.dimension = dimension, .halves = halves, .inner = -1};
    int64_t high = 4;
    while (points_within(&ball, high) <= wanted) high *= 2;
    while (high - ball.inner > 1) {
        int64_t middle = ball.inner + (high - ball.inner) / 2;
        if (points_within(&ball, middle) <= wanted)
            ball.inner = middle;
        else
            high = middle;
    }
    int64_t inside = points_within(&ball, ball.inner);
    ball.shell = points_within(&ball, high) - inside;
    ball.take = wanted - inside;
    if (whole) ball.take = inside > 0 && 2 * ball.take <= ball.shell ? 0 : ball.shell;
    ball.count = inside + ball.take;
    return ball;
}

/* How many points must be added to a whole shell or taken from one to get the number wanted. */
static int64_t misfit(const mnLatticeBall *ball, int64_t wanted) {
    int64_t inside = ball->count - ball->take, over = inside + ball->shell - wanted;
    return inside > 0 && wanted - inside < over ? wanted - inside : over;
}

mnLatticeBall mn_lattice_ball(int dimension, int64_t wanted, bool whole) {
    mnLatticeBall best = ball_around(dimension, 0, wanted, whole);
    for (int halves = 1; halves <= dimension; halves++) {
        mnLatticeBall ball = ball_around(dimension, halves, wanted, whole);
        if (misfit(&ball, wanted) < misfit(&best, wanted)) best = ball;
    }
    return best;
}

/* Whether point number `index` of a broken shell belongs to the ball. Points are met in an order whose reverse is that
 * of their antipodes, so the shell falls into pairs (index, shell − 1 − index); taking pairs, spread evenly, keeps the
 * ball balanced. For an odd number the first pair goes in by half. */
static bool is_taken(const mnLatticeBall *ball, int64_t index) {
    int64_t all = ball->shell / 2, pairs = (ball->take + 1) / 2;
    if (pairs == 0) return false;
    int64_t pair = index < all ? index : ball->shell - 1 - index;
    int64_t before = (2 * pair * pairs + all) / (2 * all), after = (2 * (pair + 1) * pairs + all) / (2 * all);
    bool is_halved = ball->take % 2 == 1 && index >= all && after == 1;
    return after > before && !is_halved;
}

void mn_lattice_ball_fill(const mnLatticeBall *ball, double (*points)[3]) {
    int64_t count = 0, met = 0, outer = ball->inner + 1, top = reach(ball, 2, outer);
    double centroid[3] = {0};
    for (int64_t z = -top; z <= top; z += 2) {
        int64_t side = reach(ball, 0, outer - z * z);
        for (int64_t x = -side; x <= side; x += 2) {
            int64_t most = reach(ball, 1, outer - z * z - x * x);
            for (int64_t y = -most; y <= most; y += 2) {
                if (x * x + y * y + z * z == outer && !is_taken(ball, met++)) continue;
                const double point[3] = {0.5 * (double)x, 0.5 * (double)y, 0.5 * (double)z};
                for (int i = 0; i < 3; i++) {
                    points[count][i] = point[i];
                    centroid[i] += point[i] / (double)ball->count;
                }
                count++;
            }
        }
    }
    for (int64_t p = 0; p < count; p++)
        for (int i = 0; i < 3; i++) points[p][i] -= centroid[i];
}
