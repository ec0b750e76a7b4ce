/** A call to Consul that failed. The message names the call and never carries the token. */
export class ConsulCallError extends Error {
	override readonly name = 'ConsulCallError';
	/** Consul gave an HTTP answer, but not a usable one; false where the connection failed or timed out. */
	readonly answered: boolean;

	constructor(message: string, options: { answered: boolean; cause?: unknown }) {
		super(message, { cause: options.cause });
		this.answered = options.answered;
	}
}
