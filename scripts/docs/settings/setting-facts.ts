import { z } from 'zod';

export type SettingFacts = ReturnType<typeof settingFacts>;

// Invalid for every setting except those that accept any text.
const unusable = '\u0000';

/** Describes a setting from its schema. @throws TypeError if it has no description */
export function settingFacts(name: string, schema: z.ZodType) {
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

const kib = 1_024;

/** Units from the smallest to the largest, by the ending of the setting's name. */
const scales: readonly (readonly [ending: RegExp, units: Readonly<Record<string, number>>])[] = [
	[/_MS(_MAX)?$/, { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }],
	[/_BYTES_MAX$/, { bytes: 1, KiB: kib, MiB: kib ** 2, GiB: kib ** 3 }],
	[/_KIB$/, { KiB: 1, MiB: kib, GiB: kib ** 2 }],
	[/_DAYS$/, { d: 1 }],
	[/_PERCENT$/, { '%': 1 }],
];

/** `10000` of a setting in milliseconds → `10 s`; undefined for a number without a unit. */
export function readableQuantity(name: string, value: number): string | undefined {
	const units = Object.entries(scales.find(([ending]) => ending.test(name))?.[1] ?? {});
	// The largest unit in which the value needs at most one decimal.
	const fitting = units.findLast(([, size]) => value >= size && Number.isInteger((value / size) * 10));
	const [unit, size] = fitting ?? units[0] ?? [];
	return size === undefined ? undefined : `${value / size} ${unit}`;
}
