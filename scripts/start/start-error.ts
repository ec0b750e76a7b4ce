/** A failed start that the operator can fix; the message is one line that states the remedy. */
export class StartError extends Error {
	override name = 'StartError';
	/** Further lines, one for each of several causes. */
	readonly details: readonly string[];

	constructor(message: string, options: ErrorOptions & { details?: readonly string[] } = {}) {
		super(message, options);
		this.details = options.details ?? [];
	}
}

/** A short text for failures that the operator can fix; any other error is a bug and keeps its stack. */
export function explain(error: unknown): string {
	if (error instanceof StartError) {
		return [error.message.replace(/\s*\n\s*/g, ' '), ...error.details.map((line) => `  ${line}`)].join('\n');
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
