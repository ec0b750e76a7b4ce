import { z } from 'zod';
import { readableQuantity } from './readable-quantity.ts';

/** One table row of docs/settings.md, in Markdown. */
export interface SettingFacts {
	readonly name: string;
	/** The default; undefined = none. */
	readonly fallback: string | undefined;
	readonly allowed: string;
	readonly meaning: string;
}

// Invalid for every setting except those that accept any text.
const unusable = '\u0000';

/**
 * Describes a setting from its schema (libs/service/src/settings/settings.ts).
 * @throws TypeError if the schema has no description
 */
export function settingFacts(name: string, schema: z.ZodType): SettingFacts {
	const { description: meaning } = schema;
	if (meaning === undefined) throw new TypeError(`${name} has no description.`);
	const fallback = fallbackOf(schema);
	return {
		name,
		fallback: fallback === undefined ? undefined : withReading(name, fallback),
		allowed: allowedOf(name, schema),
		meaning,
	};
}

/** The bounds of an integerSetting; undefined for other settings. */
export function boundsOf(schema: z.ZodType): { minimum: number; maximum: number } | undefined {
	const { minimum, maximum } = innermost(schema).meta() ?? {};
	return typeof minimum === 'number' && typeof maximum === 'number' ? { minimum, maximum } : undefined;
}

/** The default as the text of an environment variable; undefined = none. */
export function fallbackOf(schema: z.ZodType): string | undefined {
	return schema instanceof z.ZodDefault ? asWritten(schema.def.defaultValue) : undefined;
}

/** A value as the text of an environment variable. */
function asWritten(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (Array.isArray(value)) return value.join(',');
	// A map of secrets: only the names are shown.
	if (value instanceof Map) return [...value.keys()].map((key) => `${key}=…`).join(',');
	return String(value);
}

function withReading(name: string, text: string): string | undefined {
	if (text === '') return undefined;
	const reading = /^\d+$/.test(text) ? readableQuantity(name, Number(text)) : undefined;
	if (reading === undefined) return `\`${text}\``;
	return isMore(text, reading) ? `\`${text}\` (${reading})` : `\`${text}\` ${unitOf(reading)}`;
}

/** The schema without its default or optional wrapper. */
function innermost(schema: z.ZodType): z.ZodType {
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
		return innermost(schema.def.innerType as z.ZodType);
	}
	return schema;
}

function allowedOf(name: string, schema: z.ZodType): string {
	const { allowed } = schema.meta() ?? {};
	if (typeof allowed === 'string') return allowed;
	const bounds = boundsOf(schema);
	if (bounds !== undefined) return range(name, bounds);
	return ruleOf(schema);
}

function range(name: string, { minimum, maximum }: { minimum: number; maximum: number }): string {
	const [from, to] = [minimum, maximum].map((bound) => readableQuantity(name, bound));
	if (from === undefined || to === undefined) return `${minimum} to ${maximum}`;
	if (!isMore(minimum, from) && !isMore(maximum, to)) return `${minimum} to ${maximum} ${unitOf(to)}`;
	return `${minimum} to ${maximum} (${from} to ${to})`;
}

/** Whether the readable form has another unit than the number. */
function isMore(number: number | string, reading: string): boolean {
	return !reading.startsWith(`${number} `);
}

function unitOf(reading: string): string {
	return reading.slice(reading.indexOf(' ') + 1);
}

/** The rule as in the error message for an invalid value. */
function ruleOf(schema: z.ZodType): string {
	const message = schema.safeParse(unusable).error?.issues[0]?.message;
	return message === undefined ? 'any text' : message.replace(/^must (be|list) /, '');
}
