const alphabets = { '#': '0123456789', '?': 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' };
const counters = new Map();

/**
 * The body with new values for the fields that must be new for each record. `templates` is the `x-fresh-example` of its schema, by
 * field: `#` stands for a digit, `?` for a capital letter. A field that differs from `known` is the user's and stays.
 */
export function freshBody(body, templates, known = body) {
	const fresh = Object.entries(templates).filter(
		([field]) => (body[field] ?? null) !== null && body[field] === known[field],
	);
	return {
		...body,
		...Object.fromEntries(
			fresh.map(([field, template]) => [field, freshValue(template, typeof body[field])]),
		),
	};
}

/** Counts from a random start, so that no value repeats before all were used. */
function freshValue(template, type) {
	const signs = [...template];
	const total = signs.reduce((product, sign) => product * (alphabets[sign]?.length ?? 1), 1);
	const count = ((counters.get(template) ?? Math.floor(Math.random() * total)) + 1) % total;
	counters.set(template, count);
	let rest = count;
	const text = signs
		.toReversed()
		.map((sign) => {
			const alphabet = alphabets[sign];
			if (alphabet === undefined) return sign;
			const character = alphabet[rest % alphabet.length];
			rest = Math.floor(rest / alphabet.length);
			return character;
		})
		.toReversed()
		.join('');
	return type === 'number' ? Math.max(1, Number(text)) : text;
}
