import { element } from './element.js';

/** Shows the operations by tag; `onOpen(tag, operationId)` is called for the chosen one. */
export function showOperations(parent, { tags, paths }, onOpen) {
	const operations = Object.values(paths).flatMap((item) => Object.entries(item));
	for (const { name } of tags) {
		const own = operations.filter(
			([
				,
				{
					tags: [tag],
				},
			]) => tag === name,
		);
		if (own.length === 0) continue;
		const items = own.map(([method, operation]) => element('li', {}, entry(name, method, operation, onOpen)));
		const summary = element('summary', {}, name, element('span', { class: 'muted' }, ` ${own.length}`));
		parent.append(
			element('details', { open: parent.children.length === 0 }, summary, element('ul', {}, ...items)),
		);
	}
}

function entry(tag, method, { operationId, summary }, onOpen) {
	const mark = element(
		'span',
		{ class: 'method', 'data-method': method },
		method === 'delete' ? 'DEL' : method.toUpperCase(),
	);
	const link = element('a', { href: `#/${tag}/${operationId}` }, mark, ' ', summary);
	link.addEventListener('click', (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		onOpen(tag, operationId);
	});
	return link;
}
