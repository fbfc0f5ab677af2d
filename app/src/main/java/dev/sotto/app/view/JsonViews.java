package dev.sotto.app.view;

import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Published records as maps for JSON; a figure that does not exist, or is infinite, is null. */
public final class JsonViews {
  private JsonViews() {}

  /** A ledger entry. */
  public static Map<String, Object> ledger(LedgerEntry entry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model", entry.modelId());
    json.put("run", hex(entry.runId()));
    json.put("generation", entry.generation());
    json.put("round", entry.round());
    json.put("sequence", entry.sequence());
    json.put("algorithm", entry.algorithm());
    json.put("clip", entry.clip());
    json.put("sensitivity", entry.sensitivity());
    json.put("sigma", entry.sigma());
    json.put("sigmaIsOf", "the sum of a round");
    json.put("matrixSensitivity", finite(entry.matrixSensitivity()));
    json.put("guarantee", guarantee(entry.guarantee()));
    json.put("terms", terms(entry.terms()));
    json.put("budgetEpsilon", finite(entry.budgetEpsilon()));
    json.put("epsilonLeft", finite(entry.epsilonLeft()));
    json.put("final", entry.last());
    json.put("slots", entry.slots());
    json.put("ranges", ranges(entry.ranges()));
    json.put("snapshotDigest", hex(entry.snapshotDigest()));
    json.put("fingerprint", hex(entry.fingerprint()));
    json.put("key", entry.keyId());
    json.put("semantics", entry.semantics());
    json.put("previousHash", hex(entry.previousHash()));
    return json;
  }

  /** The settings behind a ledger entry's figures. */
  public static Map<String, Object> terms(LedgerEntry.Terms terms) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("accountant", terms.accountant());
    json.put("spentMu", terms.spentMu());
    json.put("participation", terms.participation());
    json.put("generations", terms.generations());
    json.put("mechanismParameters", terms.mechanismParameters());
    json.put("metricsRatio", finite(terms.metricsRatio()));
    json.put("metricsExact", Double.isInfinite(terms.metricsRatio()));
    return json;
  }

  /** A model version. */
  public static Map<String, Object> snapshot(PublishedModel model, boolean withWeights) {
    ModelSnapshot manifest = model.manifest();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model", manifest.modelId());
    json.put("run", hex(manifest.runId()));
    json.put("generation", manifest.generation());
    json.put("version", manifest.version());
    json.put("final", manifest.last());
    json.put("digest", hex(manifest.digest()));
    json.put("algorithm", manifest.algorithm());
    json.put("loss", manifest.loss());
    json.put("features", manifest.features());
    json.put("dimension", manifest.dimension());
    Objectives.named(manifest.loss()).ifPresent(objective -> {
      json.put("rows", objective.rows());
      json.put("tail", objective.tail());
    });
    json.put("guarantee", guarantee(manifest.guarantee()));
    json.put("ranges", ranges(manifest.ranges()));
    json.put("ledgerHash", hex(manifest.ledgerHash()));
    json.put("fingerprint", hex(manifest.fingerprint()));
    if (withWeights) {
      json.put("weights", model.weights());
    }
    return json;
  }

  /** A guarantee. */
  public static Map<String, Object> guarantee(Guarantee guarantee) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("unit", guarantee.unit().configName());
    json.put("adjacency", guarantee.adjacency().configName());
    json.put("mechanism", guarantee.mechanism());
    json.put("mu", finite(guarantee.mu()));
    json.put("epsilon", finite(guarantee.epsilon()));
    json.put("delta", guarantee.delta());
    json.put("muLimit", finite(guarantee.muLimit()));
    json.put("epsilonLimit", finite(guarantee.epsilonLimit()));
    return json;
  }

  private static List<Map<String, Object>> ranges(List<OffsetRange> ranges) {
    return ranges.stream()
        .map(each -> {
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("partition", each.partition());
          json.put("from", each.from());
          json.put("to", each.to());
          return json;
        })
        .toList();
  }

  static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
