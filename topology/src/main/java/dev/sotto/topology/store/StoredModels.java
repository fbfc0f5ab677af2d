package dev.sotto.topology.store;

import dev.sotto.serdes.record.Codecs;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The models that a store of heads knows, before any of them is in memory. */
public final class StoredModels {
  /** What their keys begin with; the model's id follows. */
  public static final String PREFIX = "model/";

  private StoredModels() {}

  /** Rounds that each model has paid for, by the models' ids. */
  public static Map<String, Long> roundsPaid(StateTable heads, List<String> keys) {
    return keys.stream()
        .collect(Collectors.toMap(
            key -> key.substring(PREFIX.length()),
            key -> StoredRecords.decode(Codecs.MODEL_HEAD, heads.get(key)).round()));
  }
}
