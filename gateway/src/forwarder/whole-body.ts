import type { Writable } from 'node:stream';
import { endWith } from '@paddock/service';
import { UpstreamFailure } from '../exchange/failures.ts';
import type { BodyEnd, ResponseBody } from './forwarder.ts';

/** A body that is in memory; undefined = none. */
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
