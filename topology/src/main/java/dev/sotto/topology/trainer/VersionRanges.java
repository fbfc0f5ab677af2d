package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import java.util.List;

/** Where the slots of a version lie. */
@FunctionalInterface
interface VersionRanges {
  /** The positions of some rounds in a row, by partition. */
  List<OffsetRange> of(long firstRound, long lastRound);
}
