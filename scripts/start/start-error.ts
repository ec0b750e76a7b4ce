/** Why the system can't be started, in one line that tells the operator what to change. */
export class StartError extends Error {
	override name = 'StartError';
}
