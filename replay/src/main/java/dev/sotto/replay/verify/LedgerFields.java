package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The fields of a ledger entry; docs/verify.md says what each rests on. */
final class LedgerFields {
  private static final Set<String> CHAIN = Set.of("sequence", "previousHash");

  private record Field(String name, Function<LedgerEntry, String> text) {}

  private static final List<Field> ALL = List.of(
      field("sequence", each -> Long.toString(each.sequence())),
      field("previousHash", each -> hex(each.previousHash())),
      field("semantics", each -> Integer.toString(each.semantics())),
      field("keyId", LedgerEntry::keyId),
      field("modelId", LedgerEntry::modelId),
      field("runId", each -> hex(each.runId())),
      field("fingerprint", each -> hex(each.fingerprint())),
      field("algorithm", LedgerEntry::algorithm),
      field("clip", each -> number(each.clip())),
      field("batch", each -> Long.toString(each.slots() / each.round())),
      field("sigma", each -> number(each.sigma())),
      field("adjacency", each -> each.guarantee().adjacency().configName()),
      field("unit", each -> each.guarantee().unit().configName()),
      field("mechanism", each -> each.guarantee().mechanism()),
      field("mechanismParameters", each -> each.terms().mechanismParameters()),
      field("participation", each -> each.terms().participation()),
      field("generations", each -> each.terms().generations()),
      field("metricsRatio", each -> number(each.terms().metricsRatio())),
      field("budgetEpsilon", each -> number(each.budgetEpsilon())),
      field("delta", each -> number(each.guarantee().delta())),
      field("spentMu", each -> number(each.terms().spentMu())),
      field("earlierMu", each -> number(each.terms().earlierMu())),
      field("candidates", each -> Integer.toString(each.terms().candidates())),
      field("rangeWindow", each -> each.terms().rangeWindow()),
      field("origin", each -> Long.toString(each.origin())),
      field("ranges", each -> each.ranges().toString()),
      field("firstRound", each -> Long.toString(each.firstRound())),
      field("round", each -> Long.toString(each.round())),
      field("generation", each -> Integer.toString(each.generation())),
      field("sensitivity", each -> number(each.sensitivity())),
      field("matrixSensitivity", each -> number(each.matrixSensitivity())),
      field("mu", each -> number(each.guarantee().mu())),
      field("epsilon", each -> number(each.guarantee().epsilon())),
      field("muLimit", each -> number(each.guarantee().muLimit())),
      field("epsilonLimit", each -> number(each.guarantee().epsilonLimit())),
      field("epsilonLeft", each -> number(each.epsilonLeft())),
      field("accountant", each -> each.terms().accountant()),
      field("last", each -> Boolean.toString(each.last())),
      field("snapshotDigest", each -> hex(each.snapshotDigest())));

  private LedgerFields() {}

  private static Field field(String name, Function<LedgerEntry, String> text) {
    return new Field(name, text);
  }

  /** The fields in which two entries differ. */
  static List<FieldDifference> differences(LedgerEntry published, LedgerEntry replayed) {
    List<FieldDifference> found = new ArrayList<>();
    for (Field field : ALL) {
      String one = field.text.apply(published);
      String other = field.text.apply(replayed);
      if (!one.equals(other)) {
        found.add(new FieldDifference(field.name, one, other));
      }
    }
    return found;
  }

  /** The same without the fields that rest on the entries before. */
  static List<FieldDifference> ownDifferences(LedgerEntry published, LedgerEntry replayed) {
    return differences(published, replayed).stream()
        .filter(each -> !CHAIN.contains(each.name()))
        .toList();
  }

  static String number(double value) {
    return Double.toString(value);
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
