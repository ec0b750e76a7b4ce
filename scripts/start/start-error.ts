/** A failed start that the operator can fix; the message is one line that states the remedy. */
export class StartError extends Error {
	override name = 'StartError';
}
