import { loggable } from '@paddock/telemetry/loggable';
import { isConfidential } from './secret-files.ts';

export interface Violation {
	readonly name: string;
	/** `must be on or off`, `is required` */
	readonly rule: string;
	/** The given text; undefined if absent. */
	readonly value?: string | undefined;
}

const valueLengthMax = 80;

/** `PORT: must be a whole number from 0 to 65535 (given: "80x")`; secrets are masked. */
export function violationText({ name, rule, value = '' }: Violation): string {
	return value === '' ? `${name}: ${rule}` : `${name}: ${rule} (given: ${shownValue(name, value)})`;
}

/** The value of a setting with secrets masked: all of a password, the credentials of an address. */
export function shownSetting(name: string, value: string): string {
	if (isConfidential(name)) return '[redacted]';
	// What precedes the last @ in an address may be a password, however it is written.
	return String(loggable(value)).replace(/^.*@/s, '[redacted]@');
}

function shownValue(name: string, value: string): string {
	const text = shownSetting(name, value);
	if (isConfidential(name)) return text;
	return JSON.stringify(text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text);
}
