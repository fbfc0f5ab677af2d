package dev.sotto.replay.verify;

import java.util.List;
import java.util.Optional;

/**
 * The first thing that differs of a model.
 *
 * @param round the first that differs
 * @param what it is that differs: {@code ledger}, {@code snapshot} or {@code metrics}
 * @param fields of the ledger entry, the manifest or the metrics, with both values; never empty
 * @param weights the first weight that differs; empty where no published version from this round on
 *     is left
 */
public record FirstDifference(
    long round, String what, List<FieldDifference> fields, Optional<WeightsDifference> weights) {
  public FirstDifference {
    fields = List.copyOf(fields);
  }
}
