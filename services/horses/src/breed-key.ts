import { searchForms } from '@paddock/text';

/** A breed as breeds are compared: people write the same one in capitals, with and without umlauts. */
export function breedKey(breed: string): string {
	return searchForms(breed)[0] ?? '';
}
