const kib = 1_024;

/** Units from the smallest to the largest, by the ending of the setting's name. */
const scales: readonly (readonly [ending: RegExp, units: readonly (readonly [number, string])[]])[] = [
	[
		/_MS(_MAX)?$/,
		[
			[1, 'ms'],
			[1_000, 's'],
			[60_000, 'min'],
			[3_600_000, 'h'],
			[86_400_000, 'd'],
		],
	],
	[
		/_BYTES_MAX$/,
		[
			[1, 'bytes'],
			[kib, 'KiB'],
			[kib ** 2, 'MiB'],
			[kib ** 3, 'GiB'],
		],
	],
	[
		/_KIB$/,
		[
			[1, 'KiB'],
			[kib, 'MiB'],
			[kib ** 2, 'GiB'],
		],
	],
	[/_DAYS$/, [[1, 'd']]],
	[/_PERCENT$/, [[1, '%']]],
];

/** `10000` of a setting in milliseconds → `10 s`; undefined for a number without a unit. */
export function readableQuantity(name: string, value: number): string | undefined {
	const units = scales.find(([ending]) => ending.test(name))?.[1];
	// The largest unit in which the value needs at most one decimal.
	const fitting = units?.findLast(([size]) => value >= size && Number.isInteger((value / size) * 10));
	const [size, unit] = fitting ?? units?.[0] ?? [];
	return size === undefined ? undefined : `${value / size} ${unit}`;
}
