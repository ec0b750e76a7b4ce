/**
 * The part of AbortSignal that the way of a request uses. A real one would do as well, but to make one for every
 * request, most of which end well, costs more than to find its instance.
 */
export interface CallSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/** Ends one call early, for one reason; further ones are ignored. */
export class CallAbort implements CallSignal {
	aborted = false;
	reason: unknown;
	#listeners: (() => void)[] = [];

	abort(reason: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		const listeners = this.#listeners;
		this.#listeners = [];
		for (const listener of listeners) listener();
	}

	addEventListener(_type: 'abort', listener: () => void): void {
		this.#listeners.push(listener);
	}

	removeEventListener(_type: 'abort', listener: () => void): void {
		const at = this.#listeners.indexOf(listener);
		if (at !== -1) this.#listeners.splice(at, 1);
	}
}
