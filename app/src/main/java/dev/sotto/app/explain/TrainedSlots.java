package dev.sotto.app.explain;

import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.SlotReader;
import java.util.Optional;

/** The slots that a trainer takes where a record lies, by the classes by which it takes them. */
interface TrainedSlots {
  /** The offset at which learning of the record's partition began; empty where it has not. */
  Optional<Long> origin();

  /** The place of the record's slot; {@link Place#NONE} where it has none yet. */
  long place();

  /** Those behind the last published version, from the first on. */
  SlotReader unpublished();
}
