import type { Page } from '@paddock/contract';
import { prepared } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import { isEntrusted, seesIdentifiers } from './rules.ts';
import { guestHorse, type Horse, type HorseView, sportHorse } from './schemas.ts';
import { completeHorses } from './store.ts';

const sportKeys = Object.keys(sportHorse.shape) as readonly (keyof Horse)[];
const guestKeys = Object.keys(guestHorse.shape) as readonly (keyof Horse)[];

/** The smaller views list their fields, so that a new field is private by default. */
export function horseViewFor(principal: Principal, horse: Horse): HorseView {
	if (isEntrusted(principal, horse)) return horse;
	if (seesIdentifiers(principal)) return { ...picked(horse, sportKeys), view: 'SPORT' } as HorseView;
	return { ...picked(horse, guestKeys), view: 'GUEST' } as HorseView;
}

export function picked<Key extends keyof Horse>(horse: Horse, keys: readonly Key[]): Pick<Horse, Key> {
	return Object.fromEntries(keys.map((key) => [key, horse[key]])) as Pick<Horse, Key>;
}

export async function presentPage(
	db: HorsesQueryable,
	{ items, pagination }: Page<HorseRow>,
	principal: Principal,
): Promise<Page<HorseView>> {
	const horses = await prepared(() => completeHorses(db, items));
	return { items: horses.map((horse) => horseViewFor(principal, horse)), pagination };
}
