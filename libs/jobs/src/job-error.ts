const causesMax = 5;

/** What of a job's error is logged and stored. Mail servers, among others, repeat addresses of persons in their errors. */
export function withoutAddresses(error: unknown, depth = 0): Error {
	if (!(error instanceof Error)) return new Error(masked(String(error)));
	const { name, message, stack = '', cause } = error;
	const isLast = cause === undefined || depth === causesMax;
	const copy = new Error(masked(message), isLast ? {} : { cause: withoutAddresses(cause, depth + 1) });
	copy.name = name;
	// Paths of packages with a scope have an @ too.
	copy.stack = stack.replaceAll(/^(?!\s+at ).*$/gm, masked);
	return 'code' in error ? Object.assign(copy, { code: error.code }) : copy;
}

const masked = (text: string) => text.replaceAll(/\S+@\S+/g, '[address]');
