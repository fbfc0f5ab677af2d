package dev.sotto.evaluation.audit.neighbour;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of pairs of neighbouring logs.
 *
 * @param pairs of logs
 * @param slots that were compared
 * @param used of them, those that added something in either log
 * @param moved pairs of which a slot differed: the others were equal
 * @param most slots of one model in which two logs differed
 * @param restarts of tasks and instances, in all runs together
 * @param readOtherwise pairs whose logs were read in other pieces, or committed at other moments
 * @param faults what must not be, a sentence each
 */
public record NeighbourResult(
    int pairs,
    long slots,
    long used,
    int moved,
    int most,
    long restarts,
    int readOtherwise,
    List<String> faults) {
  public NeighbourResult {
    faults = List.copyOf(faults);
  }

  /** Nothing yet. */
  static final NeighbourResult NONE = new NeighbourResult(0, 0, 0, 0, 0, 0, 0, List.of());

  /** Both together. */
  public NeighbourResult plus(NeighbourResult more) {
    List<String> all = new ArrayList<>(faults);
    all.addAll(more.faults);
    return new NeighbourResult(
        pairs + more.pairs,
        slots + more.slots,
        used + more.used,
        moved + more.moved,
        Math.max(most, more.most),
        restarts + more.restarts,
        readOtherwise + more.readOtherwise,
        all);
  }
}
