/** A failed call to Consul. The message names the call and never contains the token. */
export class ConsulCallError extends Error {
	override readonly name = 'ConsulCallError';
	/** True if Consul returned an unusable HTTP response; false if the connection failed or timed out. */
	readonly responded: boolean;

	constructor(message: string, options: { responded: boolean; cause?: unknown }) {
		super(message, { cause: options.cause });
		this.responded = options.responded;
	}
}
