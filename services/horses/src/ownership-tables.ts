import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { Owner } from './schemas/owner.ts';
import type { CorrectedPeriod } from './schemas/ownership-correction.ts';
import type { StoredTransferStatus } from './schemas/ownership-transfer.ts';

interface OwnershipPeriodsTable {
	id: Generated<string>;
	horse_id: string;
	valid_from: string;
}

interface OwnershipSharesTable {
	period_id: string;
	/** In the order of the request. */
	position: number;
	member_id: string | null;
	party_name: string | null;
	party_country_code: string | null;
	share_hundredths: number | null;
}

interface OwnershipTransfersTable {
	id: Generated<string>;
	horse_id: string;
	valid_from: string;
	/** The new owners. */
	owners: JSONColumnType<readonly Owner[]>;
	status: StoredTransferStatus;
	/** The user. */
	requested_by: string;
	requested_by_member_id: string | null;
	expires_at: Date;
	ended_at: Date | null;
	/** The owner who completed or declined it. */
	ended_by_member_id: string | null;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

/** One row for each present owner whose confirmation a transfer needs. */
interface OwnershipConfirmationsTable {
	transfer_id: string;
	member_id: string;
	confirmed_at: Date | null;
}

interface OwnershipCorrectionsTable {
	id: Generated<string>;
	horse_id: string;
	reason: string;
	before: JSONColumnType<CorrectedPeriod>;
	after: JSONColumnType<CorrectedPeriod>;
	/** The user. */
	corrected_by: string;
	corrected_at: Date;
}

/** The tables of ownership, after all migrations. */
export interface OwnershipTables {
	ownership_periods: OwnershipPeriodsTable;
	ownership_shares: OwnershipSharesTable;
	ownership_transfers: OwnershipTransfersTable;
	ownership_confirmations: OwnershipConfirmationsTable;
	ownership_corrections: OwnershipCorrectionsTable;
}

export type OwnershipShareRow = Selectable<OwnershipSharesTable>;
export type OwnershipTransferRow = Selectable<OwnershipTransfersTable>;
export type OwnershipCorrectionRow = Selectable<OwnershipCorrectionsTable>;
