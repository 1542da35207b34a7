/* The one WebSocket to the server: it comes back by itself, and ever less often asks for it. */

import type { FromServer, ToServer } from "./messages";

export interface Listener {
    message(message: FromServer): void;
    binary(data: ArrayBuffer): void;
    /** Connected, or not and trying again after so many seconds. */
    connected(yes: boolean, retrySeconds: number): void;
}

const firstRetry = 0.5;
const longestRetry = 10;

export class Connection {
    private socket: WebSocket | null = null;
    private retry = firstRetry;
    private timer = 0;

    constructor(private readonly listener: Listener) {
        this.open();
    }

    /** Says whether it could be sent. */
    send(message: ToServer): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    /** Tries at once instead of when it is due. */
    hurry(): void {
        if (this.socket) return;
        clearTimeout(this.timer);
        this.open();
    }

    private open(): void {
        const address = new URL("live", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        const socket = new WebSocket(address, "meniscus");
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.retry = firstRetry;
            this.listener.connected(true, 0);
        };
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
            if (typeof event.data === "string") this.listener.message(JSON.parse(event.data) as FromServer);
            else this.listener.binary(event.data);
        };
        socket.onclose = () => {
            this.socket = null;
            this.listener.connected(false, this.retry);
            this.timer = setTimeout(() => this.open(), this.retry * 1000);
            this.retry = Math.min(this.retry * 2, longestRetry);
        };
        this.socket = socket;
    }
}
