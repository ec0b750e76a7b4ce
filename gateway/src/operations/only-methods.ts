import { fail } from '@paddock/contract';
import type { NextFunction, Request, Response } from 'express';

/** Refuses every other method. Comes before the pages: Express would answer OPTIONS for them itself, in no envelope. */
export function onlyMethods(...allowed: string[]) {
	return function onlyMethods(req: Request, _res: Response, next: NextFunction): void {
		if (!allowed.includes(req.method))
			throw fail('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
		next();
	};
}
