import type { Page } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorseView } from './schemas.ts';
import { completeHorses } from './store.ts';
import { horseViewFor } from './view.ts';

/** A page of horses in the view for the caller. */
export async function presentPage(
	db: HorsesQueryable,
	{ items, pagination }: Page<HorseRow>,
	principal: Principal,
): Promise<Page<HorseView>> {
	const horses = await completeHorses(db, items);
	return { items: horses.map((horse) => horseViewFor(principal, horse)), pagination };
}
