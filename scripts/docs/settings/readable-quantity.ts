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
