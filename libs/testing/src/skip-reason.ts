/** The name of a suite or test that is skipped; `reason` continues "skipped:". */
export function skippedName(name: string, reason: string): string {
	return `${name} (skipped: ${reason})`;
}

/** The reason in the name of a skipped suite or test; undefined if it has none. */
export function skipReason(name: string): string | undefined {
	return /\(skipped: (.+)\)$/s.exec(name)?.[1];
}
