/** Limits the pauses of an instance within a body. Stopped while the client reads nothing, which is no failure of the instance. */
export class BodyIdleTimer {
	readonly #idleTimeoutMs: number;
	readonly #expired: () => void;
	#timer: NodeJS.Timeout | undefined;
	#pausedAt: number | undefined;
	#longestPauseMs = 0;

	constructor(idleTimeoutMs: number, expired: () => void) {
		this.#idleTimeoutMs = idleTimeoutMs;
		this.#expired = expired;
	}

	start(): void {
		this.#timer = setTimeout(this.#expired, this.#idleTimeoutMs);
	}

	received(): void {
		this.#timer?.refresh();
	}

	pause(): void {
		if (this.#pausedAt !== undefined) return;
		this.#pausedAt = performance.now();
		this.stop();
	}

	resume(): void {
		if (this.#pausedAt === undefined) return;
		this.#longestPauseMs = this.#longestPause();
		this.#pausedAt = undefined;
		this.start();
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	/** The client read nothing for so long that the instance may have closed the connection because of it. */
	get clientStalled(): boolean {
		return this.#longestPause() >= this.#idleTimeoutMs;
	}

	#longestPause(): number {
		const currentMs = this.#pausedAt === undefined ? 0 : performance.now() - this.#pausedAt;
		return Math.max(this.#longestPauseMs, currentMs);
	}
}
