package dev.sotto.serdes.event;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.extension.Extensions;
import dev.sotto.serdes.feature.FeatureMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A user's decoder behind a guard: it works on a slot of its own, and what it leaves there is
 * copied after it has been checked and brought to norm 1 by the configured rule. Whatever it does,
 * the slot that comes out keeps the contract of {@link EventDecoder}.
 *
 * <table>
 *   <caption>What it leaves, and the status</caption>
 *   <tr><td>it throws, or returns null, or a status that is not a decoder's</td>
 *       <td>{@link RecordStatus#DECODER_FAILED}</td></tr>
 *   <tr><td>a coordinate outside of its dimension</td>
 *       <td>{@link RecordStatus#DECODER_FAILED}</td></tr>
 *   <tr><td>a feature, label or weight, or the norm, that is not finite</td>
 *       <td>{@link RecordStatus#NOT_FINITE}</td></tr>
 *   <tr><td>a weight below 0</td><td>{@link RecordStatus#WRONG_TYPE}</td></tr>
 *   <tr><td>no unit, or an empty one, where it has to name one</td>
 *       <td>{@link RecordStatus#MISSING_FIELD}</td></tr>
 *   <tr><td>a unit above {@link FeatureMap#MAX_UNIT_BYTES}</td>
 *       <td>{@link RecordStatus#TOO_LARGE}</td></tr>
 * </table>
 *
 * A null value and one above the limit never reach it. It is given copies of key and value.
 */
public final class GuardedDecoder implements EventDecoder {
  private static final int MOST_COORDINATES = 1 << 24; // more than any model may have weights

  private static final Set<RecordStatus> A_DECODERS = EnumSet.of(
      RecordStatus.USED,
      RecordStatus.UNREADABLE,
      RecordStatus.EMPTY,
      RecordStatus.MISSING_FIELD,
      RecordStatus.WRONG_TYPE,
      RecordStatus.NOT_FINITE,
      RecordStatus.TOO_LARGE,
      RecordStatus.DECODER_FAILED);

  /** Who names the privacy unit of a record. */
  public enum Unit {
    /** Nobody. */
    NONE,
    /** The decoder. */
    DECODER,
    /** The record's key. */
    KEY
  }

  /**
   * What is made of every decoder's result.
   *
   * @param norm how vectors are brought to norm 1
   * @param unit who names the unit
   * @param maxBytes the longest value that is decoded, at least 1
   */
  public record Rules(NormRule norm, Unit unit, int maxBytes) {
    public Rules {
      Objects.requireNonNull(norm, "norm");
      Objects.requireNonNull(unit, "unit");
      if (maxBytes < 1) {
        throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
      }
    }

    private String text() {
      return "norm " + norm.word() + "\nunit " + unit.name().toLowerCase(Locale.ROOT)
          + "\nmax-bytes " + maxBytes + "\n";
    }
  }

  private final String what;
  private final EventDecoder own;
  private final Rules rules;
  private final int dimension;
  private Slot slot;
  private Throwable failure;

  private GuardedDecoder(String what, EventDecoder own, Rules rules) {
    this.what = what;
    this.own = own;
    this.rules = rules;
    this.dimension = own.dimension();
    if (dimension < 1 || dimension > MOST_COORDINATES) {
      throw new IllegalArgumentException("dimension() must be 1 to 2^24, but is " + dimension);
    }
    this.slot = new Slot(dimension);
  }

  /**
   * One more decoder of a provider.
   *
   * @throws IllegalArgumentException where it makes none, or one without a dimension; its message
   *     says why
   */
  public static GuardedDecoder of(
      EventDecoderProvider provider, Map<String, String> parameters, Rules rules) {
    try {
      EventDecoder own = Objects.requireNonNull(
          provider.create(new TreeMap<>(parameters)), "the provider returned null");
      GuardedDecoder guarded = new GuardedDecoder("the decoder " + provider.name(), own, rules);
      guarded.probe();
      return guarded;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError broken) {
      throw Extensions.unmade(broken);
    }
  }

  /**
   * An empty value, which anybody may see: a class that every record needs is missing here already.
   */
  private void probe() {
    try {
      own.decode(null, new byte[0], slot);
    } catch (Throwable thrown) {
      Extensions.requireLinked(what, thrown);
    }
    slot = new Slot(dimension);
  }

  /** Everything that decides what an event becomes, but the code, of which the version is given. */
  public static String describe(
      EventDecoderProvider provider, Map<String, String> parameters, Rules rules, int dimension) {
    return "events own " + Extensions.text(provider, parameters) + "\ndimension " + dimension + "\n"
        + rules.text();
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    into.clear();
    failure = null;
    RecordStatus status = value == null
        ? RecordStatus.EMPTY
        : value.length > rules.maxBytes() ? RecordStatus.TOO_LARGE : ask(key, value);
    if (status == RecordStatus.USED) {
      status = copy(key, into);
      if (status != RecordStatus.USED) {
        into.clear();
      }
    }
    return into.status(status);
  }

  /**
   * What the user's code threw at the last record, for whoever tests it: it may say what the record
   * holds, so a learner never shows it.
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Leaves nothing of one record in the buffers that the next one is decoded in. */
  private RecordStatus ask(byte[] key, byte[] value) {
    slot.clear();
    slot.example().wipe();
    RecordStatus status;
    try {
      status = own.decode(key == null ? null : key.clone(), value.clone(), slot);
    } catch (Throwable thrown) {
      Extensions.judge(thrown);
      failure = thrown;
      status = RecordStatus.DECODER_FAILED;
    }
    if (!slot.example().isSound()) {
      slot = new Slot(dimension);
      return RecordStatus.DECODER_FAILED;
    }
    return status == null || !A_DECODERS.contains(status) ? RecordStatus.DECODER_FAILED : status;
  }

  private RecordStatus copy(byte[] key, Slot into) {
    Example from = slot.example();
    Example to = into.example();
    if (!from.isFinite()) {
      return RecordStatus.NOT_FINITE;
    }
    if (!(from.weight() >= 0)) {
      return RecordStatus.WRONG_TYPE;
    }
    features(from, to);
    if (!Double.isFinite(to.norm())) { // of coordinates that are, but far too large
      return RecordStatus.NOT_FINITE;
    }
    to.label(from.label());
    to.weight(from.weight());
    rules.norm().apply(to);
    return to.isFinite() ? unit(key, into) : RecordStatus.NOT_FINITE;
  }

  private static void features(Example from, Example to) {
    int size = from.size();
    if (!from.isSparse()) {
      System.arraycopy(from.values(), 0, to.dense(), 0, size);
      return;
    }
    for (int i = 0; i < size; i++) {
      to.add(from.index(i), from.value(i));
    }
  }

  private RecordStatus unit(byte[] key, Slot into) {
    if (rules.unit() == Unit.NONE) {
      return RecordStatus.USED;
    }
    boolean ofKey = rules.unit() == Unit.KEY;
    byte[] unit = ofKey ? key : slot.unit();
    int length = ofKey ? (key == null ? -1 : key.length) : slot.unitLength();
    if (length <= 0) {
      return RecordStatus.MISSING_FIELD;
    }
    if (length > FeatureMap.MAX_UNIT_BYTES) {
      return RecordStatus.TOO_LARGE;
    }
    into.unit(unit, 0, length);
    return RecordStatus.USED;
  }
}
