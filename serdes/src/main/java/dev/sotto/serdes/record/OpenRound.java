package dev.sotto.serdes.record;

/**
 * One model's open round at a checkpoint, without the pages of its sum.
 *
 * @param round rounds closed before it; it fits a {@link StateIndex} of the same round only
 * @param position every slot of the model below this place is in it
 * @param firstPlace place of the open round's first slot, or -1 where none is filled
 * @param skipped slots consumed after the budget was spent
 * @param since log time of the last version; see {@code VersionState}
 * @param time log time of the newest slot
 * @param sealed what opens the pages, encrypted under the noise key; empty where no slot is filled
 * @param pages which pages are stored: bit i mod 8 of byte i div 8
 */
public record OpenRound(
    long round,
    long position,
    long firstPlace,
    long skipped,
    long since,
    long time,
    byte[] sealed,
    byte[] pages) {}
