package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.serdes.topic.PublishedRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * The tables and the example of docs/wire-format.md are those of the code; written anew with
 * {@code -Dsotto.docs.update=true}.
 */
class WireFormatDocsTest {
  private static final Pattern BLOCK =
      Pattern.compile("<!-- (headers|fields \\w+|example) -->\n.*?<!-- end -->", Pattern.DOTALL);

  @Test
  void isTrue() throws IOException {
    Path page = Path.of(System.getProperty("basedir", "."), "..", "docs", "wire-format.md");
    String text = Files.readString(page);
    Matcher each = BLOCK.matcher(text);
    Map<String, Place> places = new HashMap<>();
    String expected = each.replaceAll(found -> Matcher.quoteReplacement(
        "<!-- " + found.group(1) + " -->\n" + block(found.group(1), places) + "<!-- end -->"));
    if (Boolean.getBoolean("sotto.docs.update")) {
      Files.writeString(page, expected);
    }
    assertThat(Files.readString(page)).isEqualTo(expected);
    for (String name : PublishedRecords.names()) {
      assertThat(expected).contains("<!-- fields " + name + " -->");
    }
  }

  private static String block(String kind, Map<String, Place> places) {
    if (kind.equals("headers")) {
      return headers();
    }
    return kind.equals("example") ? example() : fields(kind.substring("fields ".length()), places);
  }

  private static String headers() {
    StringBuilder table =
        new StringBuilder("| record | schema | first ten bytes |\n| --- | --- | --- |\n");
    for (String name : PublishedRecords.names()) {
      List<Schema> history = SchemaFiles.history(name);
      for (int i = 0; i < history.size(); i++) {
        row(table, name, "version " + (i + 1), history.get(i));
      }
      row(table, name, "current", SchemaFiles.current(name));
    }
    return table.toString();
  }

  private static void row(StringBuilder table, String name, String version, Schema schema) {
    table
        .append("| `")
        .append(name)
        .append("` | ")
        .append(version)
        .append(" | `")
        .append(HexFormat.of().formatHex(SingleObject.header(schema)))
        .append("` |\n");
  }

  /** Where the fields of a record type stand. */
  private record Place(String record, String field) {
    String from(String reader) {
      return "`" + field + "`" + (record.equals(reader) ? "" : " of `" + record + "`");
    }
  }

  private static String fields(String name, Map<String, Place> places) {
    StringBuilder table =
        new StringBuilder("\n| field of `" + name + "` | type | |\n| --- | --- | --- |\n");
    fields(name, "", SchemaFiles.current(name), places, table);
    return table.append('\n').toString();
  }

  /** The fields of a record type once on the page; elsewhere, where they stand. */
  private static void fields(
      String name, String prefix, Schema record, Map<String, Place> places, StringBuilder table) {
    for (Schema.Field field : record.getFields()) {
      Schema inner = inner(field.schema());
      boolean nested = inner.getType() == Schema.Type.RECORD;
      String place = prefix + field.name();
      Place before =
          nested ? places.putIfAbsent(inner.getFullName(), new Place(name, place)) : null;
      table
          .append("| `")
          .append(place)
          .append("` | ")
          .append(type(field.schema()))
          .append(" | ")
          .append(field.doc())
          .append(before == null ? "" : " Its fields: those of " + before.from(name) + ".")
          .append(" |\n");
      if (nested && before == null) {
        fields(name, place + ".", inner, places, table);
      }
    }
  }

  /** What an array holds, or what is there where a field is not null. */
  private static Schema inner(Schema schema) {
    Schema inner = schema.getType() == Schema.Type.ARRAY ? schema.getElementType() : schema;
    return inner.getType() == Schema.Type.UNION ? inner.getTypes().get(1) : inner;
  }

  private static String type(Schema schema) {
    return switch (schema.getType()) {
      case UNION ->
        schema.getTypes().stream()
            .map(WireFormatDocsTest::type)
            .collect(Collectors.joining(" or "));
      case ARRAY -> "array of " + type(schema.getElementType());
      default -> schema.getType().getName();
    };
  }

  private static String example() {
    double[] weights = {-0.5, 2};
    String features = FeatureMap.builder()
        .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
        .label("y", new LabelRule.AsItIs())
        .build()
        .describe();
    Guarantee guarantee =
        new Guarantee(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 0.25, 1, 1e-6, 0.5, 2);
    byte[] runId = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    ModelSnapshot manifest = new ModelSnapshot(
        "model",
        runId,
        0,
        128,
        2,
        1,
        ModelSnapshot.digest(weights, guarantee),
        features,
        "logistic",
        "private-ftrl",
        false,
        guarantee,
        new byte[32],
        List.of(),
        new byte[32]);
    byte[] chunk =
        Codecs.CHUNK.encode(new WeightsChunk("model", 128, 0, PackedDoubles.pack(weights)));
    return "```\n"
        + "weights    -0.5, 2\nguarantee  record, zero-out, blt: mu 0.25, epsilon 1, delta 0.000001,"
        + " muLimit 0.5, epsilonLimit 2\nfeatures   "
        + features.replace("\n", "\n           ").strip()
        + "\nrun id     " + HexFormat.of().formatHex(runId)
        + "\ndigest     " + HexFormat.of().formatHex(manifest.digest())
        + "\nfingerprint and ledgerHash: 32 zero bytes here\n\n"
        + "key model/0 (" + chunk.length + " bytes of value)\n" + dump(chunk)
        + "\nkey model/manifest\n" + dump(Codecs.SNAPSHOT.encode(manifest))
        + "```\n\nAn event `{\"x\": 0.5}` gives the vector (1, 0.5) / sqrt(1.25), the score"
        + " (-0.5 + 1) / sqrt(1.25) = 0.4472 and the prediction 0.6100.\n";
  }

  private static String dump(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i += 24) {
      int to = Math.min(bytes.length, i + 24);
      String words = HexFormat.of().formatHex(bytes, i, to).replaceAll("(.{8})(?=.)", "$1 ");
      text.append(String.format("%04x  %s%n", i, words));
    }
    return text.toString();
  }
}
