/** A failed call to Consul. The message names the call and never contains the token. */
export class ConsulCallError extends Error {
	override readonly name = 'ConsulCallError';
	/** True if Consul returned an unusable HTTP response; false if the connection failed or timed out. */
	readonly responded: boolean;
	/** True if every address of the same Consul would refuse the call, e.g. for its token. */
	readonly refused: boolean;

	constructor(message: string, options: { responded: boolean; refused?: boolean; cause?: unknown }) {
		super(message, { cause: options.cause });
		this.responded = options.responded;
		this.refused = options.refused ?? false;
	}
}
