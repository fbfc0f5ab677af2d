package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.range.NumberForm;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * From the weights of a published model to first weights under another feature map: feature by
 * feature, by name. It reads published weights and public settings alone, so it is post-processing.
 *
 * <ul>
 *   <li>The bias goes to the bias.
 *   <li>A number of the same name, field and transform keeps its weight. Under other bounds the
 *       weight is stretched, and the shift goes to the bias, so that the score stays what it was
 *       (up to the scaling of whole vectors to norm 1). Its hats take over what the old hats add at
 *       their knots; where there were none, they start at 0.
 *   <li>A number of the same name and field that has bounds in neither map keeps its weights, as
 *       far as both maps have octaves and places.
 *   <li>Categories and crosses share one hashed block. It is taken over whole where any of them is
 *       still there under the same name and fields; into more bits exactly (a coordinate of the
 *       larger block meets the values of one coordinate of the smaller one), into fewer bits not.
 *   <li>Everything else starts at 0.
 * </ul>
 */
public final class WeightTransfer {
  private final MappedFeatures from; // null where the maps are the same text
  private final MappedFeatures to;
  private final List<String> notes = new ArrayList<>();

  private WeightTransfer(MappedFeatures from, MappedFeatures to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Between two feature maps.
   *
   * @param from canonical text of the published model's
   * @param to canonical text of the new one's
   * @return empty where they differ and one of them does not name its coordinates
   */
  public static Optional<WeightTransfer> between(String from, String to) {
    if (FeatureMapText.unmeasured(from).equals(FeatureMapText.unmeasured(to))) {
      return Optional.of(new WeightTransfer(null, null));
    }
    Optional<MappedFeatures> before = MappedFeatures.parse(from);
    Optional<MappedFeatures> after = MappedFeatures.parse(to);
    if (before.isEmpty() || after.isEmpty()) {
      return Optional.empty();
    }
    WeightTransfer transfer = new WeightTransfer(before.get(), after.get());
    transfer.compare();
    return Optional.of(transfer);
  }

  /** Whether every weight keeps its place. */
  public boolean isIdentity() {
    return from == null;
  }

  /** The number of coordinates of the published model's feature map, where it is another one. */
  public int inputs() {
    return from.dimension();
  }

  /** What does not carry over as it is, one phrase each; empty where everything does. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  private void compare() {
    tell("start at 0, since they are new: ", to.numbers().keySet(), from.names());
    tell("start at 0, since they are new: ", to.unbounded().keySet(), from.names());
    tell(
        "are new, and share hashed coordinates with what the old model knew: ",
        to.hashed().keySet(),
        from.names());
    tell("are gone: ", from.names(), to.names());
    Set<String> changed = new LinkedHashSet<>();
    Set<String> stretched = new LinkedHashSet<>();
    to.numbers().forEach((name, number) -> {
      MappedFeatures.Number old = from.numbers().get(name);
      if (old == null) {
        if (from.names().contains(name)) {
          changed.add(name);
        }
      } else if (!old.isSame(number)) {
        changed.add(name);
      } else if (!old.hasBoundsOf(number)) {
        stretched.add(name);
      }
    });
    to.unbounded().forEach((name, number) -> {
      MappedFeatures.Free old = from.unbounded().get(name);
      if (from.names().contains(name) && (old == null || !old.isSame(number))) {
        changed.add(name);
      }
    });
    to.hashed().keySet().forEach(name -> {
      if (from.names().contains(name) && !from.hashesAs(to, name)) {
        changed.add(name);
      }
    });
    if (!changed.isEmpty()) {
      notes.add(
          "do not carry over, since they mean something else now: " + String.join(", ", changed));
    }
    if (!stretched.isEmpty()) {
      notes.add(
          "have other bounds, so their weights are rescaled: " + String.join(", ", stretched));
    }
    tellHats();
    if (sharesHashed() && !keepsBlock()) {
      notes.add("categories and crosses start at 0: the old model has 2^"
          + Integer.numberOfTrailingZeros(from.blockSize())
          + " weights for them, and these fit no smaller number (features.hash.bits)");
    }
    if (from.bias() != to.bias()) {
      notes.add(to.bias() ? "the bias starts at 0" : "the bias is gone");
    }
  }

  private void tell(String what, Set<String> names, Set<String> others) {
    Set<String> only = new LinkedHashSet<>(names);
    only.removeAll(others);
    if (!only.isEmpty()) {
      notes.add(what + String.join(", ", only));
    }
  }

  private void tellHats() {
    int before = from.hats().intervals();
    int now = to.hats().intervals();
    boolean shared = to.numbers().keySet().stream().anyMatch(this::carries);
    if (!shared || before == now) {
      return;
    }
    notes.add(
        before == 0
            ? "numbers have hats now (features.hats: " + now + "), which start at 0"
            : now == 0
                ? "numbers have no hats any more (features.hats: 0): of their curves only the"
                    + " straight line carries over"
                : "numbers have other hats (features.hats: " + now + " instead of " + before
                    + "), which take over the old curves at their knots");
  }

  private boolean carries(String number) {
    MappedFeatures.Number old = from.numbers().get(number);
    return old != null && old.isSame(to.numbers().get(number));
  }

  private boolean sharesHashed() {
    return to.hashed().keySet().stream().anyMatch(name -> from.hashesAs(to, name));
  }

  private boolean keepsBlock() {
    return sharesHashed() && to.blockSize() >= from.blockSize();
  }

  /**
   * One row of weights.
   *
   * @param weights of the published model, one a coordinate of its feature map
   * @param start of that row in them
   * @param into first weights of the new model, zeros
   * @param at start of that row in these
   * @throws IllegalArgumentException where the weights do not reach over the feature map
   */
  public void row(double[] weights, int start, double[] into, int at) {
    if (start + from.dimension() > weights.length || at + to.dimension() > into.length) {
      throw new IllegalArgumentException("a row of " + from.dimension() + " weights at " + start
          + " does not lie in " + weights.length + ", or one of " + to.dimension() + " at " + at
          + " not in " + into.length);
    }
    if (from.bias() && to.bias()) {
      into[at] += weights[start];
    }
    to.numbers().forEach((name, number) -> {
      MappedFeatures.Number old = from.numbers().get(name);
      if (!carries(name)) {
        return;
      }
      double weight = weights[start + old.coordinate()];
      double stretch = number.width() / old.width();
      into[at + number.coordinate()] = weight * stretch;
      if (to.bias()) { // of z = 2 (t - low) / width - 1 under the old bounds
        double shift = 2 * (number.low() - old.low()) / old.width() + stretch - 1;
        into[at] += weight * shift;
      }
      hats(weights, start + old.coordinate() + 1, into, at + number.coordinate() + 1, name);
    });
    to.unbounded().forEach((name, number) -> {
      MappedFeatures.Free old = from.unbounded().get(name);
      if (old != null && old.isSame(number)) {
        free(weights, start + old.coordinate(), old.form(), into, at + number.coordinate(), number);
      }
    });
    if (keepsBlock()) {
      int mask = from.blockSize() - 1;
      for (int i = 0; i < to.blockSize(); i++) {
        into[at + to.block() + i] = weights[start + from.block() + (i & mask)];
      }
    }
  }

  /** Octaves and hats where both maps have them; of the places alone where one has only that. */
  private static void free(
      double[] weights, int from, NumberForm form, double[] into, int at, MappedFeatures.Free now) {
    if (form.hasOctaves() && now.form().hasOctaves()) {
      System.arraycopy(
          weights, from, into, at, Math.min(form.count(), now.form().count()));
    } else if (form.isMeasured() && now.form().isMeasured()) {
      into[at + now.form().place()] = weights[from + form.place()];
    }
  }

  private void hats(double[] weights, int start, double[] into, int at, String name) {
    MappedFeatures.Number old = from.numbers().get(name);
    MappedFeatures.Number now = to.numbers().get(name);
    if (from.hats().intervals() == to.hats().intervals() && old.hasBoundsOf(now)) {
      System.arraycopy(weights, start, into, at, to.hats().knots());
      return;
    }
    for (int knot = 0; knot < to.hats().knots(); knot++) {
      double z = old.place(to.hats().knot(knot), now);
      into[at + knot] = from.hats().score(weights, start, z) / Hats.WEIGHT;
    }
  }
}
