/** A new element; attributes that are undefined or false are left out, children that are undefined too. */
export function element(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function svgElement(name, attributes = {}, ...children) {
	return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(node, attributes, children) {
	for (const [key, value] of Object.entries(attributes)) {
		if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
	}
	node.append(...children.filter((child) => child !== undefined));
	return node;
}

/** Shows `text` in `node`, and the node only if there is some. */
export function showText(node, text = '') {
	node.hidden = text === '';
	if (node.textContent !== text) node.textContent = text;
}

/** Shows `render(value)` inside `parent`, made anew only when the value has changed. */
export function showIn(parent, value, render) {
	const text = JSON.stringify(value);
	if (shown.get(parent) === text) return;
	shown.set(parent, text);
	parent.replaceChildren(...[render(value)].flat().filter((child) => child !== undefined));
}

const shown = new WeakMap();

/**
 * Shows one node per value inside `parent`, in the order of the values. A node stays while its key does, so that the focus stays on
 * it. `create(key)` returns `{ node, show(value) }`.
 */
export function createList(parent, keyOf, create) {
	const items = new Map();
	return (values) => {
		const keys = values.map(keyOf);
		for (const [key, { node }] of items)
			if (!keys.includes(key)) {
				node.remove();
				items.delete(key);
			}
		for (const [index, key] of keys.entries()) {
			if (!items.has(key)) items.set(key, create(key));
			items.get(key).show(values[index]);
		}
		place(
			parent,
			keys.map((key) => items.get(key).node),
		);
	};
}

/** Brings the children of `parent` into this order. A node that moves loses the focus, so it gets it back. */
export function place(parent, nodes) {
	const isInOrder =
		nodes.length === parent.children.length && nodes.every((node, index) => parent.children[index] === node);
	if (isInOrder) return;
	const focused = parent.contains(document.activeElement) ? document.activeElement : undefined;
	parent.replaceChildren(...nodes);
	focused?.focus({ preventScroll: true });
}
