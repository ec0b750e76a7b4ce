/** Plugin for Swagger UI, whose filter compares tags and paths: every word must occur in tag, path or summary. */
export function wideFilter() {
	return { fn: { opsFilter } };
}

function opsFilter(groups, phrase) {
	const words = phrase.toLowerCase().split(/\s+/);
	const matches = (...texts) => {
		const text = texts.join(' ').toLowerCase();
		return words.every((word) => text.includes(word));
	};
	return groups
		.map((group, tag) =>
			group.update('operations', (operations) =>
				operations.filter((each) => matches(tag, each.get('path'), each.getIn(['operation', 'summary'], ''))),
			),
		)
		.filter((group) => group.get('operations').size > 0);
}

/** Plugin for Swagger UI, which closes all tags or none: without a filter only the first is open, with a filter all are. */
export function openTags(system) {
	const isShown = (original) => (state, thing, byDefault) => {
		const [kind, tag] = [thing].flat();
		if (kind !== 'operations-tag') return original(thing, byDefault);
		const isFiltered = typeof state.get('filter') === 'string' && state.get('filter') !== '';
		return original(thing, isFiltered || tag === firstTag(system));
	};
	return { statePlugins: { layout: { wrapSelectors: { isShown } } } };
}

function firstTag({ specSelectors }) {
	return specSelectors.tags().first()?.get('name');
}
