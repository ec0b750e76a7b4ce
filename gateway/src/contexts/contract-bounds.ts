const depthMax = 100;
const valuesMax = 150_000;

/**
 * What is too large about a document that another project controls, without recursion: everything behind this check may use it.
 * Aliases of YAML are counted where they are used.
 */
export function boundsFault(content: unknown): string | undefined {
	let level: unknown[] = [content];
	let count = 0;
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > depthMax) return `is nested more than ${depthMax} levels deep`;
		const next: unknown[] = [];
		for (const value of level) {
			if (typeof value !== 'object' || value === null) continue;
			const keys = Object.keys(value);
			count += keys.length;
			if (count > valuesMax) return `has more than ${valuesMax} values`;
			if (keys.includes('__proto__')) return 'must not have a member __proto__';
			for (const key of keys) next.push(Reflect.get(value, key));
		}
		level = next;
	}
	return undefined;
}
