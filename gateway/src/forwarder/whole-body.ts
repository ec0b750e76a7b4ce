import { Writable } from 'node:stream';
import { endWith } from '@paddock/service';
import { UpstreamFailure } from '../exchange/failures.ts';
import type { BodyEnd, ResponseBody } from './forwarder.ts';

export class WholeBody implements ResponseBody {
	readonly whole = true;
	readonly hasBegun = true;
	readonly #bytes: Buffer | undefined;

	constructor(bytes: Buffer | undefined) {
		this.#bytes = bytes;
	}

	sendTo(res: Writable): Promise<void> {
		return new Promise((resolve, reject) => {
			const left = (): void => reject(new UpstreamFailure('clientAborted'));
			if (res.closed) return left();
			res.once('finish', resolve);
			res.once('close', left);
			endWith(res, this.#bytes);
		});
	}

	destroy(): void {
		// Nothing is open.
	}

	onClosed(listener: (end: BodyEnd) => void): void {
		listener('complete');
	}
}

/** The bytes of a body, in memory. @throws UpstreamFailure `cutOff` */
export async function readBody(body: ResponseBody): Promise<Buffer> {
	const chunks: Buffer[] = [];
	const sink = new Writable({
		write: (chunk: Buffer, _encoding, done) => {
			chunks.push(chunk);
			done();
		},
	});
	try {
		await body.sendTo(sink, () => undefined);
	} catch (error) {
		throw new UpstreamFailure('cutOff', error);
	}
	return Buffer.concat(chunks);
}
