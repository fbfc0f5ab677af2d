package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.Sha256;
import dev.sotto.topology.settings.RoundObserver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the slots of one run hold as they are cut and added up: of each the example, since the
 * vector that is cut follows from it and from a released point. A slot that is filled again, after
 * a restart or in another pass, must hold the same again. For made logs only: it keeps contents.
 */
final class SlotTrace implements RoundObserver {
  /** Where a slot lies: rounds count from 1, places from 0. */
  record Place(String model, long round, long place) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int models = model.compareTo(other.model);
      int rounds = models == 0 ? Long.compare(round, other.round) : models;
      return rounds == 0 ? Long.compare(place, other.place) : rounds;
    }

    @Override
    public String toString() {
      return "slot " + place + " of round " + round + " of " + model;
    }
  }

  /**
   * What a slot adds.
   *
   * @param units whose it is, as text; empty where it has none or adds nothing
   * @param example a digest of features, label and weight; empty where it adds nothing
   */
  record Content(List<String> units, String example) {
    static final Content NOTHING = new Content(List.of(), "");

    boolean isNothing() {
      return example.isEmpty();
    }
  }

  private final Map<Place, Content> slots = new TreeMap<>();
  private Place changed; // the first that held something else when it was filled again

  @Override
  public void closed(String modelId, Supplier<double[]> weights) {}

  @Override
  public void filled(String modelId, long round, long place, Slot slot) {
    Place at = new Place(modelId, round, place);
    Content content = content(slot);
    Content before = slots.putIfAbsent(at, content);
    if (before != null && !before.equals(content) && changed == null) {
      changed = at;
    }
  }

  /** All slots, by their places. */
  Map<Place, Content> slots() {
    return slots;
  }

  /** A slot that held something else when it was filled again; null where none did. */
  Place changed() {
    return changed;
  }

  private static Content content(Slot slot) {
    if (slot.status() != RecordStatus.USED) {
      return Content.NOTHING;
    }
    Example example = slot.example();
    ByteBuffer bytes = ByteBuffer.allocate(16 + 12 * example.size());
    bytes.putDouble(example.label()).putDouble(example.weight());
    for (int i = 0; i < example.size(); i++) {
      if (example.value(i) != 0) {
        bytes.putInt(example.index(i)).putDouble(example.value(i));
      }
    }
    byte[] all = new byte[bytes.position()];
    bytes.flip().get(all);
    return new Content(units(slot), HexFormat.of().formatHex(Sha256.sha256(all)));
  }

  private static List<String> units(Slot slot) {
    List<String> units = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < slot.owners(); i++) {
      units.add(new String(slot.unit(), from, slot.ownerEnd(i) - from, StandardCharsets.UTF_8));
      from = slot.ownerEnd(i);
    }
    if (units.isEmpty() && slot.unitLength() >= 0) {
      units.add(new String(slot.unit(), 0, slot.unitLength(), StandardCharsets.UTF_8));
    }
    return units;
  }
}
