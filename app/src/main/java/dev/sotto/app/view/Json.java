package dev.sotto.app.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.verify.ModelOutcome;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.replay.verify.WeightsDifference;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The JSON that commands print, by Jackson. A figure that does not exist, or is infinite, is null;
 * bytes are hexadecimal digits; fields keep their order.
 */
public final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .addModule(new SimpleModule()
          .addSerializer(Double.class, new FiniteOrNull())
          .addSerializer(Double.TYPE, new FiniteOrNull())
          .addSerializer(byte[].class, new Hex())
          .addSerializer(Optional.class, new ValueOrNull())
          .setSerializerModifier(recordings(verifications(published(new JsonShapes())))))
      .build();

  private Json() {}

  private static JsonShapes published(JsonShapes shapes) {
    return shapes
        .fields(
            LedgerEntry.class,
            "model run generation round sequence algorithm clip sensitivity sigma sigmaIsOf"
                + " matrixSensitivity guarantee terms budgetEpsilon epsilonLeft final slots ranges"
                + " snapshotDigest fingerprint key semantics previousHash")
        .computed(LedgerEntry.class, "model", LedgerEntry::modelId)
        .computed(LedgerEntry.class, "run", LedgerEntry::runId)
        .computed(LedgerEntry.class, "sigmaIsOf", entry -> "the sum of a round")
        .computed(LedgerEntry.class, "final", LedgerEntry::last)
        .computed(LedgerEntry.class, "key", LedgerEntry::keyId)
        .fields(
            LedgerEntry.Terms.class,
            "accountant spentMu participation generations mechanismParameters metricsRatio"
                + " metricsExact batch earlierMu candidates")
        .computed(
            LedgerEntry.Terms.class,
            "metricsExact",
            terms -> Double.isInfinite(terms.metricsRatio()))
        .computed(Guarantee.class, "unit", each -> each.unit().configName())
        .computed(Guarantee.class, "adjacency", each -> each.adjacency().configName())
        .fields(Guarantee.class, "unit adjacency mechanism mu epsilon delta muLimit epsilonLimit")
        .fields(
            ModelSnapshot.class,
            "model run generation version final digest algorithm loss features dimension rows tail"
                + " guarantee ranges ledgerHash fingerprint")
        .computed(ModelSnapshot.class, "model", ModelSnapshot::modelId)
        .computed(ModelSnapshot.class, "run", ModelSnapshot::runId)
        .computed(ModelSnapshot.class, "final", ModelSnapshot::last)
        .computed(ModelSnapshot.class, "rows", each -> known(each, Objective::rows))
        .computed(ModelSnapshot.class, "tail", each -> known(each, Objective::tail))
        .fields(PublishedModel.class, "manifest* weights")
        .fields(ModelMetrics.class, "model run noisy* fingerprint")
        .computed(ModelMetrics.class, "model", ModelMetrics::modelId)
        .computed(ModelMetrics.class, "run", ModelMetrics::runId)
        .fields(Drift.class, "alarm sinceRound round rise threshold")
        .computed(Drift.class, "alarm", Drift::isAlarm)
        .computed(
            Drift.class, "sinceRound", each -> each.isAlarm() ? each.since().getAsLong() : null)
        .fields(
            NoisyMetrics.class,
            "firstRound lastRound slots exact noiseStd count countError meanLoss meanLossError"
                + " accuracy accuracyError reliability lossBound sums")
        .computed(NoisyMetrics.class, "exact", each -> each.noiseStd() == 0)
        .computed(NoisyMetrics.class, "count", NoisyMetrics::count)
        .computed(NoisyMetrics.class, "countError", NoisyMetrics::countError)
        .computed(NoisyMetrics.class, "meanLoss", NoisyMetrics::meanLoss)
        .computed(NoisyMetrics.class, "meanLossError", NoisyMetrics::meanLossError)
        .computed(NoisyMetrics.class, "accuracy", NoisyMetrics::accuracy)
        .computed(NoisyMetrics.class, "accuracyError", NoisyMetrics::accuracyError)
        .computed(NoisyMetrics.class, "reliability", ReliabilityBin::of);
  }

  private static Object known(ModelSnapshot manifest, Function<Objective, Object> value) {
    return Objectives.named(manifest.loss()).map(value).orElse(null);
  }

  private static JsonShapes recordings(JsonShapes shapes) {
    return shapes
        .computed(RecordingHeader.class, "clusterId", each -> each.origin().clusterId())
        .computed(RecordingHeader.class, "topic", each -> each.origin().topic())
        .computed(RecordingHeader.class, "topicId", each -> each.origin().topicId())
        .fields(RecordingHeader.class, "format clusterId topic topicId schema digest ranges")
        .computed(RecordedRange.class, "to", each -> known(each.to()))
        .computed(RecordedRange.class, "records", each -> known(each.records()))
        .fields(RecordedRange.class, "partition from to records")
        .fields(RecordResult.class, "records written resumed bytes header* warnings")
        .computed(RecordResult.class, "records", RecordResult::records);
  }

  private static Optional<Long> known(long value) {
    return value < 0 ? Optional.empty() : Optional.of(value);
  }

  private static JsonShapes verifications(JsonShapes shapes) {
    return shapes
        .fields(VerificationResult.class, "outcome equal reason insideOnly events seconds models")
        .computed(VerificationResult.class, "outcome", each -> lowerCase(each.outcome()))
        .computed(VerificationResult.class, "equal", each -> each.outcome() == Outcome.EQUAL)
        .computed(VerificationResult.class, "insideOnly", VerificationText::isInside)
        .fields(
            ModelOutcome.class,
            "model publishedRounds equalRounds roundsBeyond publishedSnapshots equalSnapshots"
                + " equalMetrics uncovered difference")
        .computed(ModelOutcome.class, "model", ModelOutcome::modelId)
        .computed(ModelOutcome.class, "publishedRounds", each -> each.rounds().published())
        .computed(ModelOutcome.class, "equalRounds", each -> each.rounds().equal())
        .computed(ModelOutcome.class, "roundsBeyond", each -> each.rounds().beyond())
        .computed(
            ModelOutcome.class, "publishedSnapshots", each -> each.versions().published())
        .computed(ModelOutcome.class, "equalSnapshots", each -> each.versions().equal())
        .computed(ModelOutcome.class, "equalMetrics", ModelOutcome::equalMetrics)
        .fields(
            WeightsDifference.class,
            "version publishedDimension replayedDimension differing coordinate published replayed"
                + " publishedBits replayedBits")
        .computed(
            WeightsDifference.class,
            "publishedDimension",
            each -> each.dimensions().published())
        .computed(
            WeightsDifference.class,
            "replayedDimension",
            each -> each.dimensions().replayed())
        .computed(WeightsDifference.class, "coordinate", first(WeightsDifference::coordinate))
        .computed(WeightsDifference.class, "published", first(WeightsDifference::published))
        .computed(WeightsDifference.class, "replayed", first(WeightsDifference::replayed))
        .computed(WeightsDifference.class, "publishedBits", first(each -> bits(each.published())))
        .computed(WeightsDifference.class, "replayedBits", first(each -> bits(each.replayed())));
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** What there is only where a weight differs. */
  private static Function<WeightsDifference, Object> first(
      Function<WeightsDifference, Object> value) {
    return each -> each.differing() > 0 ? value.apply(each) : null;
  }

  private static String bits(double value) {
    return String.format(Locale.ROOT, "%016x", Double.doubleToRawLongBits(value));
  }

  /** A value in one line. */
  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException wrong) {
      throw new IllegalStateException("a value must have a form in JSON, but has none", wrong);
    }
  }

  /** The fields of an object, in their order. */
  public static Map<String, Object> fields(Object value) {
    return MAPPER.convertValue(value, new TypeReference<LinkedHashMap<String, Object>>() {});
  }

  /** Writes a value to a file, for people to read. */
  public static void write(Path file, Object value) throws IOException {
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), value);
  }

  private static final class FiniteOrNull extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        out.writeNumber(value);
      } else {
        out.writeNull();
      }
    }
  }

  private static final class Hex extends JsonSerializer<byte[]> {
    @Override
    public void serialize(byte[] value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(HexFormat.of().formatHex(value));
    }
  }

  private static final class ValueOrNull extends JsonSerializer<Object> {
    @Override
    public void serialize(Object value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      provider.defaultSerializeValue(((Optional<?>) value).orElse(null), out);
    }
  }

  /** A text, or null where it is empty. */
  public static final class EmptyAsNull extends JsonSerializer<String> {
    @Override
    public void serialize(String value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.isEmpty() ? null : value);
    }
  }
}
