import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentTag, noneMatch } from '@paddock/service';
import type { Request, Response } from 'express';

/** A text that stays the same while the process lives. */
export interface StaticDocument {
	/** Responds with it, compressed if the client accepts that; 304 if the client has it already. */
	send(res: Response): Promise<void>;
}

type Coding = 'br' | 'gzip' | 'identity';

// Shorter ones fit into one packet anyway.
const compressedFromBytes = 1_400;
// Beyond 5, brotli takes twice as long for the explorer's bundle and saves three percent.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const brotli = promisify(brotliCompress);
const encode: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
	br: (body) => brotli(body, brotliOptions),
	gzip: promisify(gzip),
	identity: async (body) => body,
};

/** @param policy its Content-Security-Policy, if it is not that of the gateway */
export function createStaticDocument(content: string, type: string, policy?: string): StaticDocument {
	const body = Buffer.from(content);
	// Weak, so one tag stands for all codings (RFC 9110 §8.8.1).
	const etag = contentTag(content);
	const made = new Map<Coding, Promise<Buffer>>();
	const bodyIn = (coding: Coding): Promise<Buffer> => {
		const bytes = made.get(coding) ?? encode[coding](body);
		made.set(coding, bytes);
		return bytes;
	};
	return {
		send: async (res) => {
			const { req } = res;
			if (policy !== undefined) res.setHeader('Content-Security-Policy', policy);
			res.setHeader('ETag', etag);
			res.vary('Accept-Encoding');
			// Express would go by the request's Cache-Control as well, which some clients set along with a tag.
			if (!noneMatch(req.headers['if-none-match'], etag)) {
				res.status(304).end();
				return;
			}
			const coding = codingFor(req, body.length);
			if (coding !== 'identity') res.setHeader('Content-Encoding', coding);
			res.type(type).send(await bodyIn(coding));
		},
	};
}

export function lazyDocument(create: () => StaticDocument | Promise<StaticDocument>): StaticDocument {
	const created = once(create);
	return { send: async (res) => (await created()).send(res) };
}

/** The result of the first call that does not fail, for all calls. */
export function once<Result>(make: () => Result | Promise<Result>): () => Promise<Result> {
	let made: Promise<Result> | undefined;
	return () => {
		made ??= (async () => make())().catch((error: unknown) => {
			made = undefined;
			throw error;
		});
		return made;
	};
}

function codingFor(req: Request, bytes: number): Coding {
	if (bytes < compressedFromBytes) return 'identity';
	const accepted = req.acceptsEncodings(['br', 'gzip', 'identity']);
	return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
}
