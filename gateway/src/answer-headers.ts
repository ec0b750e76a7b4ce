import type { ServerResponse } from 'node:http';

/**
 * The headers that the gateway itself puts on an answer, kept aside until it is known who writes the answer: a relayed
 * one goes out with all of its headers in one call, which costs a third of setting them one by one.
 */
export class AnswerHeaders {
	/** Name, value, name, value … */
	readonly list: string[] = [];
	#res: ServerResponse | undefined;

	/** Each name once. */
	add(name: string, value: string): void {
		if (this.#res === undefined) this.list.push(name, value);
		else this.#res.setHeader(name, value);
	}

	/** @param name in lower case */
	has(name: string): boolean {
		return this.list.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
	}

	/** Sets them; what is added later is set at once. */
	putOn(res: ServerResponse): void {
		if (this.#res !== undefined) return;
		this.#res = res;
		const { list } = this;
		for (let at = 0; at < list.length; at += 2) res.setHeader(list[at] ?? '', list[at + 1] ?? '');
	}
}
