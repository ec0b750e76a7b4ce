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

/** Shows `render(value)` inside `parent`, made anew only when the value has changed. */
export function showIn(parent, value, render) {
	const text = JSON.stringify(value);
	if (shown.get(parent) === text) return;
	shown.set(parent, text);
	parent.replaceChildren(...[render(value)].flat().filter((child) => child !== undefined));
}

const shown = new WeakMap();
