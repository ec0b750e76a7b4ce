// Strings and the marks that open, close and divide; the rest of a JSON text decides nothing here.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/**
 * The first name that an object of a valid JSON text has twice (RFC 7493 §2.3), else undefined. JSON.parse keeps the
 * last value of such a name without a word, so what was sent would be half forgotten.
 */
export function duplicateName(json: string): string | undefined {
	// One entry for each open object (its names) and array (undefined).
	const open: (Set<string> | undefined)[] = [];
	let previous = '';
	for (const [token] of json.matchAll(tokens)) {
		if (token === '{') open.push(new Set());
		else if (token === '[') open.push(undefined);
		else if (token === '}' || token === ']') open.pop();
		else if (token !== ',' && (previous === '{' || previous === ',')) {
			const names = open.at(-1);
			const name = nameOf(token);
			if (names?.has(name)) return name;
			names?.add(name);
		}
		previous = token;
	}
	return undefined;
}

// "a" and "\u0061" are the same name.
function nameOf(token: string): string {
	return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}
