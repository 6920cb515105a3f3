extension Schema {
    /// Whose turn it is to forget what is kept no longer, and on PostgreSQL the months of the history of orders.
    ///
    /// A month is of an order's placing, which its identifier begins with (UTC); the default partition takes what no month
    /// takes, so that no row is ever refused for want of a partition. Triggers for statements do not come down from the
    /// table to its partitions: each has its own. A month is attached, not created in place, because that keeps nobody from
    /// reading and writing the others; it is left out where rows of it stand in the default partition already. The function
    /// that makes one runs with the rights of the tables' owner, so that the role that serves needs none of its own, and
    /// finds names in the tables' schema alone: a table that somebody makes for himself is none of them.
    static let retention = turns + months

    private static let turns = """
        CREATE TABLE retention_turn (
            task {text} NOT NULL PRIMARY KEY, leased_by {text}, leased_until {int}, done_at {int},
            CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};

        """

    /// In functions a semicolon stands at the beginning of a line: one at the end would end the statement.
    private static let months = """
        {postgres} CREATE TABLE order_step_default PARTITION OF order_step DEFAULT;
        {postgres} CREATE TRIGGER order_step_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON order_step_default
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE FUNCTION first_order_id(moment TIMESTAMP) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
            SELECT 'ord_' || rpad(string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
                CAST((milliseconds >> (5 * place)) & 31 AS INT) + 1, 1), '' ORDER BY place DESC), 26, '0')
            FROM (SELECT CAST(EXTRACT(EPOCH FROM moment) * 1000 AS BIGINT) AS milliseconds) AS since_1970,
                generate_series(0, 9) AS place $$;
        {postgres} CREATE FUNCTION order_step_month(moment BIGINT, later BIGINT) RETURNS TIMESTAMP
            LANGUAGE sql IMMUTABLE AS $$
            SELECT date_trunc('month', TIMESTAMP '1970-01-01' + moment / 1000000 * INTERVAL '1 second')
                + later * INTERVAL '1 month' $$;
        {postgres} CREATE FUNCTION order_step_partition(month TIMESTAMP) RETURNS TEXT LANGUAGE sql STABLE AS $$
            SELECT 'order_step_' || to_char(month, 'YYYY_MM') $$;
        {postgres} CREATE FUNCTION add_order_step_month(month TIMESTAMP) RETURNS TEXT LANGUAGE plpgsql AS $$
            DECLARE name TEXT := order_step_partition(month)
                ; low TEXT := first_order_id(month)
                ; high TEXT := first_order_id(month + INTERVAL '1 month')
            ; BEGIN
                IF to_regclass(name) IS NOT NULL THEN RETURN 'there'; END IF
                ; IF EXISTS (SELECT 1 FROM order_step_default WHERE order_id >= low AND order_id < high)
                    THEN RETURN 'occupied'; END IF
                ; EXECUTE format('CREATE TABLE %I (LIKE order_step INCLUDING ALL)', name)
                ; EXECUTE format('CREATE TRIGGER order_step_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON %I '
                    || 'FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name)
                ; EXECUTE format('ALTER TABLE order_step ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                    name, low, high)
                ; RETURN 'made'; END $$;
        {postgres} DO $$ BEGIN
            EXECUTE format('ALTER FUNCTION add_order_step_month(TIMESTAMP) SECURITY DEFINER SET search_path = %I, pg_temp',
                current_schema())
            ; EXECUTE 'REVOKE EXECUTE ON FUNCTION add_order_step_month(TIMESTAMP) FROM PUBLIC'
            ; END $$;
        {postgres} SELECT add_order_step_month(order_step_month(
            CAST(EXTRACT(EPOCH FROM now()) AS BIGINT) * 1000000, later)) FROM generate_series(0, 3) AS later;

        """
}
