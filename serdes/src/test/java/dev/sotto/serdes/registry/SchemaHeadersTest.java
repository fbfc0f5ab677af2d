package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaHeadersTest {
  private static final byte[] BODY = {0, 7, 8};

  private static byte[] framed(String header, byte... id) {
    return SchemaHeaders.framed(Map.of(header, id)::get, BODY);
  }

  private static byte[] eight(long id) {
    return ByteBuffer.allocate(8).putLong(id).array();
  }

  @Test
  void putsTheIdOfAHeaderBeforeTheBody() {
    assertThat(framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1, 2}))
        .containsExactly(0, 0, 0, 1, 2, 0, 7, 8);
    byte[] guid = new byte[17];
    guid[0] = 1;
    guid[16] = 9;
    assertThat(framed(SchemaHeaders.CONFLUENT, guid))
        .startsWith(guid)
        .endsWith(BODY)
        .hasSize(20);
    assertThat(framed(SchemaHeaders.CONTENT_ID, eight(258)))
        .containsExactly(0, 0, 0, 1, 2, 0, 7, 8);
  }

  /** Which message of its schema a Protobuf body is, stands before the body too. */
  @Test
  void putsTheMessageOfAHeaderBeforeTheBody() {
    byte[] first = framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1, 2, 0});
    assertThat(first).containsExactly(2, 0, 0, 1, 2, 0, 0, 7, 8);
    assertThat(SchemaHeaders.bodyOf(first, true)).isEqualTo(5);
    assertThat(SchemaHeaders.bodyOf(first, false)).as("of Avro").isEqualTo(-1);
    byte[] guid = new byte[19];
    guid[0] = 1;
    byte[] second = framed(SchemaHeaders.CONFLUENT, guid);
    assertThat(second[0]).isEqualTo((byte) 3);
    assertThat(SchemaHeaders.bodyOf(second, true)).isEqualTo(17);
    Map<String, byte[]> apicurio =
        Map.of(SchemaHeaders.CONTENT_ID, eight(258), SchemaHeaders.MESSAGE, new byte[] {'M', 's'});
    byte[] named = SchemaHeaders.framed(apicurio::get, BODY);
    assertThat(named).containsExactly(4, 0, 0, 1, 2, 2, 'M', 's', 0, 7, 8);
    byte[] longer = new byte[200]; // a name of 128 bytes or more has two bytes of length
    Arrays.fill(longer, (byte) 'M');
    Map<String, byte[]> longNamed =
        Map.of(SchemaHeaders.CONTENT_ID, eight(258), SchemaHeaders.MESSAGE, longer);
    assertThat(SchemaHeaders.framed(longNamed::get, BODY))
        .startsWith(4, 0, 0, 1, 2, 0xC8, 1, 'M')
        .hasSize(7 + 200 + BODY.length);
    assertThat(SchemaHeaders.isNamed(named)).isTrue();
    assertThat(SchemaHeaders.bodyOf(named, true)).isEqualTo(5);
    assertThat(SchemaHeaders.bodyOf(new byte[] {5, 0, 0, 0, 1}, true)).isEqualTo(-1);
    assertThat(SchemaHeaders.bodyOf(new byte[] {0, 0, 0, 1}, true)).isEqualTo(-1);
  }

  @Test
  void leavesAValueAsItIsWithoutSuchAHeader() {
    assertThat(framed("content-type", (byte) 1)).isSameAs(BODY);
    byte[] id = {0, 0, 0, 1, 2};
    assertThat(SchemaHeaders.framed(Map.of(SchemaHeaders.CONFLUENT, id)::get, null))
        .isNull();
  }

  @Test
  void makesAValueThatCannotBeReadOfAHeaderOfAnotherForm() {
    assertThat(List.of(
            framed(SchemaHeaders.CONFLUENT),
            framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1}),
            framed(SchemaHeaders.CONFLUENT, new byte[] {2, 0, 0, 1, 2}),
            framed(SchemaHeaders.CONTENT_ID, eight(1L << 31)),
            framed(SchemaHeaders.CONTENT_ID, new byte[] {0, 0, 0, 1}),
            framed(SchemaHeaders.GLOBAL_ID, eight(1))))
        .allMatch(SchemaHeaders::isOfUnknownForm);
    assertThat(SchemaHeaders.isOfUnknownForm(framed(SchemaHeaders.CONTENT_ID, eight(1))))
        .isFalse();
  }
}
