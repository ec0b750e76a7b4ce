/** A failed call to Consul. The message names the call and never contains the token. */
export class ConsulCallError extends Error {
	override readonly name = 'ConsulCallError';
	/** True if Consul returned an unusable HTTP response; false if the connection failed or timed out. */
	readonly answered: boolean;

	constructor(message: string, options: { answered: boolean; cause?: unknown }) {
		super(message, { cause: options.cause });
		this.answered = options.answered;
	}
}
