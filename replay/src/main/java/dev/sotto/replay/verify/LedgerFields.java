package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The fields of a ledger entry, by what they tell when they differ. */
final class LedgerFields {
  /** What a field rests on. */
  enum Kind {
    /** On the entries before it. */
    CHAIN,
    /** On the arithmetic of the program. */
    VERSION,
    /** On the key. */
    KEY,
    /** On key, model, configuration and label together. */
    RUN,
    /** On the configuration alone. */
    CONFIGURATION,
    /** On which records there were. */
    INPUT,
    /** On all of it. */
    RESULT
  }

  private record Field(String name, Kind kind, Function<LedgerEntry, String> text) {}

  private static final List<Field> ALL = List.of(
      field("sequence", Kind.CHAIN, each -> Long.toString(each.sequence())),
      field("previousHash", Kind.CHAIN, each -> hex(each.previousHash())),
      field("semantics", Kind.VERSION, each -> Integer.toString(each.semantics())),
      field("keyId", Kind.KEY, LedgerEntry::keyId),
      field("modelId", Kind.RUN, LedgerEntry::modelId),
      field("runId", Kind.RUN, each -> hex(each.runId())),
      field("fingerprint", Kind.RUN, each -> hex(each.fingerprint())),
      field("algorithm", Kind.CONFIGURATION, LedgerEntry::algorithm),
      field("clip", Kind.CONFIGURATION, each -> number(each.clip())),
      field("batch", Kind.CONFIGURATION, each -> Long.toString(each.slots() / each.round())),
      field("sigma", Kind.CONFIGURATION, each -> number(each.sigma())),
      field(
          "adjacency", Kind.CONFIGURATION, each -> each.guarantee().adjacency().configName()),
      field("unit", Kind.CONFIGURATION, each -> each.guarantee().unit().configName()),
      field("mechanism", Kind.CONFIGURATION, each -> each.guarantee().mechanism()),
      field("mechanismParameters", Kind.CONFIGURATION, each -> each.terms().mechanismParameters()),
      field("participation", Kind.CONFIGURATION, each -> each.terms().participation()),
      field("generations", Kind.CONFIGURATION, each -> each.terms().generations()),
      field("metricsRatio", Kind.CONFIGURATION, each -> number(each.terms().metricsRatio())),
      field("budgetEpsilon", Kind.CONFIGURATION, each -> number(each.budgetEpsilon())),
      field("delta", Kind.CONFIGURATION, each -> number(each.guarantee().delta())),
      field("spentMu", Kind.CONFIGURATION, each -> number(each.terms().spentMu())),
      field("earlierMu", Kind.CONFIGURATION, each -> number(each.terms().earlierMu())),
      field(
          "candidates",
          Kind.CONFIGURATION,
          each -> Integer.toString(each.terms().candidates())),
      field("origin", Kind.INPUT, each -> Long.toString(each.origin())),
      field("ranges", Kind.INPUT, each -> each.ranges().toString()),
      field("firstRound", Kind.RESULT, each -> Long.toString(each.firstRound())),
      field("round", Kind.RESULT, each -> Long.toString(each.round())),
      field("generation", Kind.RESULT, each -> Integer.toString(each.generation())),
      field("sensitivity", Kind.RESULT, each -> number(each.sensitivity())),
      field("matrixSensitivity", Kind.RESULT, each -> number(each.matrixSensitivity())),
      field("mu", Kind.RESULT, each -> number(each.guarantee().mu())),
      field("epsilon", Kind.RESULT, each -> number(each.guarantee().epsilon())),
      field("muLimit", Kind.RESULT, each -> number(each.guarantee().muLimit())),
      field("epsilonLimit", Kind.RESULT, each -> number(each.guarantee().epsilonLimit())),
      field("epsilonLeft", Kind.RESULT, each -> number(each.epsilonLeft())),
      field("accountant", Kind.RESULT, each -> each.terms().accountant()),
      field("last", Kind.RESULT, each -> Boolean.toString(each.last())),
      field("snapshotDigest", Kind.RESULT, each -> hex(each.snapshotDigest())));

  private LedgerFields() {}

  private static Field field(String name, Kind kind, Function<LedgerEntry, String> text) {
    return new Field(name, kind, text);
  }

  /** The fields of some kinds in which two entries differ. */
  static List<FieldDifference> differences(
      LedgerEntry published, LedgerEntry replayed, Set<Kind> kinds) {
    List<FieldDifference> found = new ArrayList<>();
    for (Field field : ALL) {
      String one = field.text.apply(published);
      String other = field.text.apply(replayed);
      if (kinds.contains(field.kind) && !one.equals(other)) {
        found.add(new FieldDifference(field.name, one, other));
      }
    }
    return found;
  }

  static String number(double value) {
    return Double.toString(value);
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
