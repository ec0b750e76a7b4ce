// Strings and the punctuation that opens, closes and separates; the remaining JSON text is irrelevant here.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/**
 * The first duplicate name within an object of a valid JSON text (RFC 7493 §2.3), otherwise undefined. JSON.parse
 * silently keeps only the last value of a duplicate name, so data would be lost.
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
