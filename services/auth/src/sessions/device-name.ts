// In this order: programs also name the ones that they imitate.
const programs: readonly (readonly [RegExp, string])[] = [
	[/Edg(?:e|A|iOS)?\//, 'Edge'],
	[/OPR\//, 'Opera'],
	[/SamsungBrowser\//, 'Samsung Internet'],
	[/(?:Firefox|FxiOS)\//, 'Firefox'],
	[/(?:Chrome|CriOS)\//, 'Chrome'],
	[/Version\/[\d.]+.*Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
	[/iPad/, 'iPad'],
	[/iPhone/, 'iPhone'],
	[/Android/, 'Android'],
	[/Windows/, 'Windows'],
	[/Mac OS X|Macintosh/, 'macOS'],
	[/CrOS/, 'ChromeOS'],
	[/Linux/, 'Linux'],
];

/** `Firefox on Windows`, for its owner to recognise; of another program its first word, such as `curl/8.5.0`. */
export function deviceName(userAgent: string): string {
	const program = nameIn(programs, userAgent);
	const system = nameIn(systems, userAgent);
	if (program !== undefined) return system === undefined ? program : `${program} on ${system}`;
	return userAgent.split(' ', 1)[0] || 'unknown';
}

function nameIn(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
	return names.find(([pattern]) => pattern.test(text))?.[1];
}
