package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What values look like that are no JSON, by their first bytes. */
class UnreadableValueTest {
  @ParameterizedTest
  @CsvSource({
    "00000000077b2278223a317d, 'byte 0 and an id of 4 bytes, as the serializers of a schema registry"
        + "|is JSON: set events.format: json-schema'",
    "0000000007041234, 'byte 0 and an id of 4 bytes|events.avro.framing: confluent|events.format: protobuf'",
    "01000102030405060708090a0b0c0d0e0f7b7d, 'byte 1 and an id of 16 bytes|is JSON'",
    "c301000102030405060708, Avro's single objects",
    "1f8b08000000, compressed",
    "28b52ffd0400, compressed",
    "82534e41505059, compressed",
    "227b5c2278, 'encoded twice'",
    "65794a34, Base64",
    "aced000573, object of Java",
    "3c613e, XML",
    "fffe7b007d00, UTF-16",
    "7b0022007d00, UTF-16",
    "007b0022, UTF-16",
    "efbbbf7b7d, byte order mark",
    "7b2261223a22e9227d, 'no UTF-8, as text in Latin-1'",
    "'', it is empty"
  })
  void namesWhatItIs(String bytes, String parts) {
    assertThat(UnreadableValue.guess(HexFormat.of().parseHex(bytes)).orElseThrow())
        .contains(parts.split("\\|"));
  }

  @Test
  void saysNothingOfTextThatIsNoJson() {
    for (String text : new String[] {"x", "{\"a\":1", "0", "\u0000", "\u0000abc", "\u00e9"}) {
      assertThat(UnreadableValue.guess(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
    String cut = "x".repeat(4095) + "\u00e9";
    assertThat(UnreadableValue.guess(cut.getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(UnreadableValue.guess(null)).contains("it has no value");
  }

  @Test
  void neverShowsWhatTheValueHolds() {
    byte[] secret =
        ("\u0000\u0000\u0000\u0000\u0007{\"secret\":42}").getBytes(StandardCharsets.UTF_8);
    assertThat(UnreadableValue.guess(secret).orElseThrow()).doesNotContain("secret", "42");
  }
}
